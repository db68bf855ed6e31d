import { blame, type Trail } from './trail.ts'
import { asText } from './read.ts'
import { get, isNull, type MapNode } from './yaml/node.ts'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const part = /(\d+(?:\.\d+)?)(ms|s|m|h)/y

/** Milliseconds of `10m`, `1.5h` or `1h30m`; a bare number counts seconds. */
export function milliseconds(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000)
  let total = 0
  part.lastIndex = 0
  while (part.lastIndex < text.length) {
    const found = part.exec(text)
    if (!found) return undefined
    total += Number(found[1]) * units[found[2]!]!
  }
  return text === '' ? undefined : Math.round(total)
}

/** The duration of an optional key. */
export function durationAt(map: MapNode, key: string, trail: Trail): number | undefined {
  const node = get(map, key)
  if (!node || isNull(node)) return undefined
  const text = asText(node, trail, key)
  if (text === undefined) return undefined
  const found = milliseconds(text.trim())
  if (found === undefined)
    blame(trail, node, `[${key}] string [${text}] does not match pattern ^\\d+(\\.\\d+)?(s|m|h)$`)
  return found
}
