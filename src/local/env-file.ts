/** Variables by their names. */
export type Variables = Readonly<Record<string, string>>

/** What an env file brings: variables of every job, and of the contexts that it names. */
export interface Secrets {
  readonly variables: Variables
  readonly contexts: Readonly<Record<string, Variables>>
}

/** What is wrong with an env file; never what stands in it. */
export class BadEnvFile extends Error {
  override readonly name = 'BadEnvFile'
}

const assignment = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/s
const section = /^\[([^\][]+)\]\s*(?:#.*)?$/

/**
 * Reads `NAME=value` lines: `#` begins a comment, `export` may stand before a name, a value in quotes may go over several lines,
 * and in double quotes `\n`, `\t`, `\"`, `\\` and `\$` mean what they usually do. Behind `[name]` come the variables of that context.
 */
export function readEnvFile(file: string, text: string): Secrets {
  const variables: Record<string, string> = {}
  const contexts: Record<string, Record<string, string>> = {}
  let target = variables
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]?.trim() ?? ''
    if (line === '' || line.startsWith('#')) continue
    const context = section.exec(line)?.[1]?.trim()
    if (context !== undefined) {
      target = contexts[context] ??= {}
      continue
    }
    const [, name, rest = ''] = assignment.exec(line) ?? []
    if (name === undefined) throw new BadEnvFile(`${file}:${at + 1}: Cannot read this line as it must be NAME=value`)
    const value = valueAt(lines, at, rest.trim())
    if (!value) throw new BadEnvFile(`${file}:${at + 1}: Cannot find the end of the quotes that begin here`)
    target[name] = value.text
    at = value.last
  }
  return { variables, contexts }
}

/** The value that begins in a line, and the line in which it ends. */
function valueAt(lines: readonly string[], first: number, rest: string) {
  const quote = rest[0]
  if (quote !== '"' && quote !== "'") return { text: rest.replace(/\s+#.*$/, ''), last: first }
  let text = rest
  for (let last = first; last < lines.length; text += `\n${lines[++last] ?? ''}`) {
    const end = endOf(text, quote)
    if (end !== undefined) return { text: quote === '"' ? unescaped(text.slice(1, end)) : text.slice(1, end), last }
  }
  return undefined
}

function endOf(text: string, quote: string): number | undefined {
  for (let i = 1; i < text.length; i++) {
    if (text[i] === '\\' && quote === '"') i++
    else if (text[i] === quote) return i
  }
  return undefined
}

const unescaped = (text: string): string =>
  text.replace(/\\([nrt"\\$])/g, (_, letter: string) => escapes[letter] ?? letter)

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
