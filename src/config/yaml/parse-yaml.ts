import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type ParsedNode } from 'yaml'
import { blame, type Trail } from '#config/trail.ts'
import { entriesOf, type Pair } from './merge-keys.ts'
import { listNode, mapNode, type Node, type Place, scalarNode } from './node.ts'
import { resolvePlain } from './scalar.ts'

/** Characters; the largest configuration known to us has half a million. */
const longest = 2_097_152
/** Signs that mean something to YAML: what its parser's time depends on, some ten microseconds for each at worst. */
const mostSigns = 150_000
const deepest = 100
/** Nodes once every alias is followed: what a later walk may cost. */
const heaviest = 1_000_000

/** Reads YAML text into nodes with places, or notes why it cannot be read. */
export function parseYaml(source: string, trail: Trail): Node | undefined {
  if (source.length > longest) {
    blame(
      trail,
      undefined,
      `Cannot read configuration as it must have at most ${longest} characters: it has ${source.length}`,
    )
    return undefined
  }
  const signs = signsIn(source)
  if (signs > mostSigns) {
    blame(
      trail,
      undefined,
      `Cannot read configuration as it must have at most ${mostSigns} signs of YAML: it has ${signs}`,
    )
    return undefined
  }
  const found = trail.problems.length
  const root = tooDeepIsUndefined(() => readDocument(source, trail))
  if (trail.problems.length > found) return undefined
  if (!root) blame(trail, undefined, `Cannot read configuration as it must be nested at most ${deepest} levels deep`)
  else if (root.weight <= heaviest) return root
  else
    blame(
      trail,
      root,
      `Cannot read configuration as it must have at most ${heaviest} values once its aliases are followed`,
    )
  return undefined
}

function signsIn(source: string): number {
  let count = 0
  for (let i = 0; i < source.length; i++) if (isSign[source.charCodeAt(i)]) count++
  return count
}

const isSign = Array.from({ length: 128 }, (_, code) => '\n[]{},:"\'&*!%#?|>-'.includes(String.fromCharCode(code)))

/** The YAML library recurses; what nests so deeply that the stack ends is only nested too deeply. */
function tooDeepIsUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readDocument(source: string, trail: Trail): Node | undefined {
  const lines = new LineCounter()
  const document = parseDocument(source, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  })
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  // One mistake in the syntax makes nonsense of all that follows: the first is the one to mend.
  const [error] = document.errors
  if (error?.code === 'RESOURCE_EXHAUSTION') return undefined
  if (error) {
    const message = error.code === 'MULTIPLE_DOCS' ? 'Cannot read more than one document' : error.message
    blame(trail, placeAt(error.pos[0]), message)
    return undefined
  }
  return convert({ anchors: new Map(), trail, placeAt }, document.contents, 0, { line: 1, column: 1 })
}

interface Reading {
  readonly anchors: Map<string, Node>
  readonly trail: Trail
  readonly placeAt: (offset: number) => Place
}

function convert(reading: Reading, node: ParsedNode | null, depth: number, around: Place): Node {
  if (depth > deepest) throw new RangeError('nested too deeply')
  if (!node) return scalarNode(null, around)
  const place = node.range ? reading.placeAt(node.range[0]) : around
  if (isAlias(node)) return aliased(reading, node.source, place)
  const made = convertPlain(reading, node, depth, place)
  if (node.anchor) reading.anchors.set(node.anchor, made)
  return made
}

function aliased(reading: Reading, name: string, place: Place): Node {
  const target = reading.anchors.get(name)
  if (target) return target
  blame(reading.trail, place, `Cannot find an anchor named ${name} before this alias`)
  return scalarNode(null, place)
}

function convertPlain(reading: Reading, node: ParsedNode, depth: number, place: Place): Node {
  if (isSeq<ParsedNode>(node))
    return listNode(
      node.items.map((item) => convert(reading, item, depth + 1, place)),
      place,
    )
  if (isMap<ParsedNode, ParsedNode | null>(node)) {
    const pairs: Pair[] = []
    for (const { key, value } of node.items) {
      const name = convert(reading, key, depth + 1, place)
      const written = isScalar<string>(key) ? key.value : name.kind === 'scalar' ? name.text : undefined
      const merges = isScalar(key) && key.type === 'PLAIN' && written === '<<'
      pairs.push({ place: name, key: written, value: convert(reading, value, depth + 1, name), merges })
    }
    return mapNode(entriesOf(pairs, reading.trail), place)
  }
  if (!isScalar(node)) return scalarNode(null, place)
  const source = String(node.value)
  const plain = node.type === 'PLAIN' && node.tag === undefined
  const { value, text } = plain ? resolvePlain(source) : { value: source, text: source }
  return scalarNode(value, place, text, source.includes('<<'))
}
