import { resolvePlain } from './scalar.ts'
import type { Scalar } from './node.ts'

/** A mapping whose keys are ours. What users name stands in a `Map`, which keeps the order even of `2` and `1`. */
export type Fields = { readonly [key: string]: Data }

/** Plain data that can be written as YAML; keys that are undefined are left out. */
export type Data = Scalar | undefined | readonly Data[] | ReadonlyMap<string, Data> | Fields

/** Writes plain data as block-style YAML that reads back as the same data. */
export function emitYaml(data: Data): string {
  const lines: string[] = []
  emit(data, '', '', lines)
  return `${lines.join('\n')}\n`
}

/** Adds the lines of a value; `lead` is what its first line starts with (`key:`, `-`). */
function emit(data: Data, lead: string, indent: string, lines: string[]): void {
  if (isList(data)) return emitList(data, lead, indent, lines)
  if (typeof data === 'object' && data !== null) return emitMap(data, lead, indent, lines)
  emitScalar(data ?? null, lead, indent, lines)
}

const isList = (data: Data): data is readonly Data[] => Array.isArray(data)

function emitList(items: readonly Data[], lead: string, indent: string, lines: string[]): void {
  if (items.length === 0) {
    lines.push(lead === '' ? '[]' : `${lead} []`)
    return
  }
  if (lead !== '') lines.push(lead)
  for (const item of items) emit(item, `${indent}-`, `${indent}  `, lines)
}

function emitMap(map: ReadonlyMap<string, Data> | Fields, lead: string, indent: string, lines: string[]): void {
  const all = map instanceof Map ? [...map] : Object.entries(map)
  const entries = all.filter(([, value]) => value !== undefined)
  if (entries.length === 0) {
    lines.push(lead === '' ? '{}' : `${lead} {}`)
    return
  }
  const inItem = lead.endsWith('-')
  if (!inItem && lead !== '') lines.push(lead)
  for (const [index, [key, value]] of entries.entries()) {
    const start = inItem && index === 0 ? `${lead} ` : indent
    const deeper = isList(value) ? indent : `${indent}  `
    emit(value, `${start}${quoted(key)}:`, deeper, lines)
  }
}

function emitScalar(value: Scalar, lead: string, indent: string, lines: string[]): void {
  const space = lead === '' ? '' : ' '
  if (typeof value !== 'string') lines.push(`${lead}${space}${value === null ? 'null' : String(value)}`)
  else if (isBlock(value)) lines.push(`${lead}${space}${block(value, indent)}`)
  else lines.push(`${lead}${space}${quoted(value)}`)
}

const plain = /^[A-Za-z0-9_/.~$(](?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}:])?$/u

/** As it is where nobody could misread it; in double quotes, with every doubtful sign escaped, elsewhere. */
function quoted(text: string): string {
  const isSafe = text.length < 200 && plain.test(text) && !/: | #|^\.\.\./.test(text) && isText(text)
  return isSafe ? text : JSON.stringify(text).replace(/[\u007f-\uffff]/g, escaped)
}

const isText = (text: string) => typeof resolvePlain(text).value === 'string'

const escaped = (char: string) =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(char) ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Several plain lines are kept as a block, for people read them; anything doubtful is quoted. */
const isBlock = (text: string) =>
  text.includes('\n') && /^[^\s]/.test(text) && !/[\t\r\u0085\u2028\u2029\ufeff]|[^\P{C}\n]| +$/mu.test(text)

function block(text: string, indent: string): string {
  const body = text.replace(/\n+$/, '')
  const trailing = text.length - body.length
  const sign = trailing === 0 ? '|-' : trailing === 1 ? '|' : '|+'
  const lines = body.split('\n').concat(trailing > 1 ? Array<string>(trailing - 1).fill('') : [])
  return [sign, ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))].join('\n')
}
