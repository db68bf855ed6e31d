import type { Variables } from '#config/expression/evaluate.ts'
import { type Node, type Scalar, scalarNode } from '#config/yaml/node.ts'
import { isPipelineValue, pipelineValues } from './values.ts'

/** Finds a pipeline value or parameter by its full name; undefined where nothing of that name exists. */
export type Lookup = (name: string) => Node | undefined

const nowhere = { line: 1, column: 1 }

/** A lookup over the values and parameters of one pipeline. */
export function lookupOf(
  values: Readonly<Record<string, string | number | boolean | undefined>>,
  parameters: ReadonlyMap<string, Node>,
): Lookup {
  return (name) => {
    if (name.startsWith('pipeline.parameters.')) return parameters.get(name.slice('pipeline.parameters.'.length))
    if (!name.startsWith('pipeline.')) return undefined
    const short = name.slice('pipeline.'.length)
    const value = Object.hasOwn(values, short) ? values[short] : undefined
    if (value !== undefined) return scalarNode(value, nowhere)
    return isPipelineValue(short) || Object.hasOwn(values, short) ? scalarNode(null, nowhere) : undefined
  }
}

/** Every name a lookup knows, as far as they can be listed. */
export function namesOf(parameters: ReadonlyMap<string, Node>): readonly string[] {
  return [
    ...[...parameters.keys()].map((name) => `pipeline.parameters.${name}`),
    ...[...pipelineValues].map((name) => `pipeline.${name}`),
  ]
}

/** The same lookup for expressions, where null means that a value does not apply. */
export function variablesOf(lookup: Lookup): Variables {
  return (name) => {
    const node = lookup(name)
    const value: Scalar = node?.kind === 'scalar' ? node.value : null
    return { known: node !== undefined, value: value ?? undefined }
  }
}
