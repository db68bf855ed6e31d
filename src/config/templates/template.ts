/** A piece of a text: as it is, or a tag to be replaced. */
export type Part = { readonly text: string } | { readonly tag: string }

/**
 * Cuts a text into what stays and what is to be replaced; undefined where a `<<` is never closed.
 * `\<<` is a plain `<<`, and `\\<<` a backslash before a tag.
 */
export function partsOf(text: string): readonly Part[] | undefined {
  const parts: Part[] = []
  let plain = ''
  let at = 0
  for (let open = text.indexOf('<<'); open >= 0; open = text.indexOf('<<', at)) {
    const backslashes = backslashesBefore(text, open, at)
    plain += text.slice(at, open - backslashes) + '\\'.repeat(Math.floor(backslashes / 2))
    if (backslashes % 2 === 1) {
      // A here-string `\<<<` keeps its third sign.
      const end = text[open + 2] === '<' ? open + 3 : open + 2
      plain += text.slice(open, end)
      at = end
      continue
    }
    const close = text.indexOf('>>', open + 2)
    if (close < 0) return undefined
    if (plain !== '') parts.push({ text: plain })
    parts.push({ tag: text.slice(open + 2, close).trim() })
    plain = ''
    at = close + 2
  }
  plain += text.slice(at)
  if (plain !== '' || parts.length === 0) parts.push({ text: plain })
  return parts
}

function backslashesBefore(text: string, open: number, from: number): number {
  let count = 0
  while (open - count - 1 >= from && text[open - count - 1] === '\\') count++
  return count
}
