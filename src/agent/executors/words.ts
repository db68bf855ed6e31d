/** A word that a shell reads as exactly this text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Splits a command line into words at blanks, with simple quotes: `/bin/bash -eo pipefail`. */
export function wordsOf(line: string): readonly string[] {
  const found = line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []
  return found.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  )
}

// A shell refuses to set these, or keeps them for itself: a step would not see our value either way.
const reserved = new Set([
  'UID',
  'EUID',
  'PPID',
  'BASHOPTS',
  'SHELLOPTS',
  'BASH_VERSINFO',
  'OPTIND',
  'LINENO',
  'PWD',
  'OLDPWD',
])

/** Assignments that give a shell exactly these variables; what no process can have is left out. */
export function exportsOf(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .filter(([name, value]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.has(name) && !value.includes('\0'))
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join('')
}
