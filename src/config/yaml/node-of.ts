import { listNode, mapOf, type Node, type Place, type Scalar, scalarNode } from './node.ts'

/** Plain data to be made into nodes; a node in it stays as it is, a key that is undefined is left out. */
export type Written = Scalar | Node | readonly Written[] | { readonly [key: string]: Written | undefined }

/** Nodes for something the compiler writes itself, standing at the place that caused it. */
export function nodeOf(data: Written, place: Place): Node {
  if (data === null || typeof data !== 'object') return scalarNode(data, place)
  if (isNode(data)) return data
  if (isList(data))
    return listNode(
      data.map((item) => nodeOf(item, place)),
      place,
    )
  const entries = Object.entries(data).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, nodeOf(value, place)] as const],
  )
  return mapOf(entries, place)
}

const isList = (data: object): data is readonly Written[] => Array.isArray(data)

const isNode = (data: object): data is Node => 'weight' in data && 'kind' in data
