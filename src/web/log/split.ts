import type { Span } from './ansi.ts'

/** A part of a line, and whether it is what was looked for. */
export type SplitSpan = Span & { readonly found?: true }

/** Cuts the spans of a line where a text, given in small letters, begins and ends in it, whatever the colours between. */
export function split(spans: readonly Span[], wanted: string): readonly SplitSpan[] {
  const text = spans.map((span) => span.text).join('')
  const small = text.toLowerCase()
  // Letters that become longer when they are made small would put every place behind them wrong.
  if (wanted === '' || small.length !== text.length) return spans
  const cuts: number[] = []
  for (let at = small.indexOf(wanted); at !== -1; at = small.indexOf(wanted, at + wanted.length))
    cuts.push(at, at + wanted.length)
  const parts: SplitSpan[] = []
  let begin = 0
  for (const { text: own, look } of spans) {
    const end = begin + own.length
    const places = [begin, ...cuts.filter((cut) => cut > begin && cut < end), end]
    for (const [index, from] of places.slice(0, -1).entries()) {
      const piece = text.slice(from, places[index + 1])
      // Behind an odd number of cuts.
      const isFound = cuts.filter((cut) => cut <= from).length % 2 === 1
      if (piece !== '') parts.push(isFound ? { text: piece, look, found: true } : { text: piece, look })
    }
    begin = end
  }
  return parts
}
