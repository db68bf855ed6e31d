/** Reads EDN as far as JSON reaches, with nothing of what writes it: maps, vectors, keywords, strings, numbers, booleans, nil. */
export function readEdn(text: string): unknown {
  let at = 0

  function fail(wanted: string): never {
    throw new SyntaxError(
      `Cannot read EDN at ${at} as there must be ${wanted}: ${JSON.stringify(text.slice(at, at + 20))}`,
    )
  }

  /** Commas are white space. */
  function skip(): void {
    while (at < text.length && /[\s,]/.test(text[at] ?? '')) at += 1
  }

  function take(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = at
    const found = sticky.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }

  function until(end: string, read: () => void): void {
    for (skip(); text[at] !== end; skip()) {
      if (at >= text.length) fail(end)
      read()
    }
    at += 1
  }

  function value(): unknown {
    skip()
    if (text[at] === '{') return map()
    if (text[at] === '[') {
      at += 1
      const items: unknown[] = []
      until(']', () => items.push(value()))
      return items
    }
    if (text[at] === '"') return string()
    const keyword = take(/:[A-Za-z*!_?$%&=<>][\w*!?$%&=<>.+#-]*/)
    if (keyword !== undefined) return keyword.slice(1)
    const number = take(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[\s,\]}]|$)/)
    if (number !== undefined) return Number(number)
    const word = take(/(?:nil|true|false)(?=[\s,\]}]|$)/)
    return word === undefined ? fail('a value') : word === 'nil' ? null : word === 'true'
  }

  function map(): Record<string, unknown> {
    at += 1
    const entries: [string, unknown][] = []
    until('}', () => {
      const key = value()
      if (typeof key !== 'string') fail('a key')
      entries.push([key, value()])
    })
    return Object.fromEntries(entries)
  }

  function string(): string {
    const quoted = take(/"(?:[^"\\]|\\(?:["\\nrt]|u[0-9a-f]{4}))*"/) ?? fail('the end of a string')
    return JSON.parse(quoted.replace(/\n/g, '\\n')) as string
  }

  const read = value()
  skip()
  return at === text.length ? read : fail('the end')
}
