import { Wrong } from './wrong.ts'

/** What is to be split: one item a line; a single line is taken apart at blanks, as `echo` puts everything on one. */
export function itemsIn(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 1 ? (lines[0] ?? '').split(/\s+/) : lines
}

/** Which node this is, and of how many: as the flags say, else as the job says. */
export function nodeOf(
  flags: ReadonlyMap<string, string>,
  own: { readonly nodeIndex: string; readonly nodeTotal: string },
): { readonly index: number; readonly total: number } {
  const [index, total] = [
    numberOf('index', flags.get('index') ?? (own.nodeIndex || '0')),
    numberOf('total', flags.get('total') ?? (own.nodeTotal || '1')),
  ]
  if (total < 1 || total > 10_000) throw new Wrong(`--total must be between 1 and 10000: it is ${total}`)
  if (index >= total) throw new Wrong(`--index must be less than --total (${total}): it is ${index}`)
  return { index, total }
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Wrong(`--${name} must be a number: it is "${text.slice(0, 50)}"`)
  return Number(text)
}

const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, us: 0.000001, ns: 0.000000001 }

/** A duration as Go writes it, in seconds: `10s`, `1m30s`. */
export function secondsIn(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|ns|m|s)/g)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text)
    throw new Wrong(`--time-default must be a duration like 10s: it is "${text.slice(0, 50)}"`)
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (units[unit ?? 's'] ?? 1), 0)
}
