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

/** A text that cannot be read at all, and why. */
class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

const tooDeep = `it must be nested at most ${deepest} levels deep`
const tooHeavy = `it must have at most ${heaviest} values once its aliases are followed`

/** Reads YAML text into nodes with places, or notes why it cannot be read. */
export function parseYaml(source: string, trail: Trail): Node | undefined {
  const found = trail.problems.length
  try {
    const root = readDocument(source, trail)
    if (root && root.weight > heaviest) throw new Unreadable(tooHeavy)
    return trail.problems.length > found ? undefined : root
  } catch (error) {
    // The YAML library recurses; what nests so deeply that the stack ends is only nested too deeply.
    const why = error instanceof RangeError ? tooDeep : error instanceof Unreadable ? error.message : undefined
    if (why === undefined) throw error
    blame(trail, undefined, `Cannot read configuration as ${why}`)
    return undefined
  }
}

function checkSize(source: string): void {
  if (source.length > longest) {
    throw new Unreadable(`it must have at most ${longest} characters: it has ${source.length}`)
  }
  const signs = signsIn(source)
  if (signs > mostSigns) throw new Unreadable(`it must have at most ${mostSigns} signs of YAML: it has ${signs}`)
}

function signsIn(source: string): number {
  let count = 0
  for (let i = 0; i < source.length; i++) if (isSign[source.charCodeAt(i)]) count++
  return count
}

const isSign = Array.from({ length: 128 }, (_, code) => '\n[]{},:"\'&*!%#?|>-'.includes(String.fromCharCode(code)))

function readDocument(source: string, trail: Trail): Node | undefined {
  checkSize(source)
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
  if (error?.code === 'RESOURCE_EXHAUSTION') throw new Unreadable(tooDeep)
  if (error) {
    const message = error.code === 'MULTIPLE_DOCS' ? 'Cannot read more than one document' : error.message
    blame(trail, placeAt(error.pos[0]), message)
    return undefined
  }
  return convert({ anchors: new Map(), trail, placeAt, left: heaviest }, document.contents, 0, { line: 1, column: 1 })
}

interface Reading {
  readonly anchors: Map<string, Node>
  readonly trail: Trail
  readonly placeAt: (offset: number) => Place
  /** Entries that mappings may still have: a merged mapping is copied, however large it is. */
  left: number
}

function convert(reading: Reading, node: ParsedNode | null, depth: number, around: Place): Node {
  if (depth > deepest) throw new Unreadable(tooDeep)
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
    const entries = entriesOf(pairs, reading.trail)
    reading.left -= entries.size
    if (reading.left < 0) throw new Unreadable(tooHeavy)
    return mapNode(entries, place)
  }
  if (!isScalar(node)) return scalarNode(null, place)
  const source = String(node.value)
  const plain = node.type === 'PLAIN' && node.tag === undefined
  const { value, text } = plain ? resolvePlain(source) : { value: source, text: source }
  return scalarNode(value, place, text, source.includes('<<'))
}
