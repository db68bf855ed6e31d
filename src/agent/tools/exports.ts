/** What `export -p` of a shell prints, as variables: dash, ash and bash each quote in their own way. */
export function variablesIn(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>()
  const start = /(?:^|\n)(?:export|declare -x) ([A-Za-z_]\w*)(=?)/y
  let at = 0
  for (;;) {
    start.lastIndex = at
    const [whole, name, equals] = start.exec(text) ?? []
    if (whole === undefined || name === undefined) return variables
    at += whole.length
    if (equals === '') continue
    const word = wordAt(text, at)
    variables.set(name, word.text)
    at = word.end
  }
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
}

/** One word of a shell, quotes resolved, up to the end of its line. */
function wordAt(text: string, from: number): { readonly text: string; readonly end: number } {
  let word = ''
  let at = from
  while (at < text.length && text[at] !== '\n') {
    const rest = text.slice(at, at + 2)
    if (text[at] === "'") {
      const end = endOf(text, at + 1, "'")
      word += text.slice(at + 1, end)
      at = end + 1
    } else if (rest === "$'") {
      const end = endOfEscaped(text, at + 2, "'")
      word += text
        .slice(at + 2, end)
        // A character of several bytes is written as several escapes.
        .replace(/(?:\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}))+/g, (codes) => bytesOf(codes).toString('utf8'))
        .replace(/\\([^])/g, (_, code: string) => escapes[code] ?? code)
      at = end + 1
    } else if (text[at] === '"') {
      const end = endOfEscaped(text, at + 1, '"')
      word += text.slice(at + 1, end).replace(/\\(["\\$`\n])/g, (_, kept: string) => (kept === '\n' ? '' : kept))
      at = end + 1
    } else if (text[at] === '\\') {
      word += text[at + 1] ?? ''
      at += 2
    } else word += text[at++]
  }
  return { text: word, end: at }
}

const bytesOf = (codes: string): Buffer =>
  Buffer.from(
    codes
      .split('\\')
      .slice(1)
      .map((code) => (code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8))),
  )

function endOf(text: string, from: number, quote: string): number {
  const end = text.indexOf(quote, from)
  return end === -1 ? text.length : end
}

function endOfEscaped(text: string, from: number, quote: string): number {
  let at = from
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return at
}
