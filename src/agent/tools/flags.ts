import { Wrong } from './wrong.ts'

/** The flags of a command and what stands beside them. */
export interface Flags {
  readonly values: ReadonlyMap<string, string>
  readonly rest: readonly string[]
}

/** Which flags a command knows: those that take a value, and those that do not. Short ones name their long one. */
export interface Known {
  readonly valued: readonly string[]
  readonly bare: readonly string[]
  readonly short?: Readonly<Record<string, string>>
}

/** Takes arguments apart: `--flag=value`, `--flag value`, `--flag`, with one dash or two; all after `--` is no flag. */
export function flagsOf(args: readonly string[], known: Known): Flags {
  const values = new Map<string, string>()
  const rest: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      rest.push(...args.slice(at + 1))
      break
    }
    const [, written = '', value] = /^--?([A-Za-z][\w-]*)(?:=([^]*))?$/.exec(arg) ?? []
    if (written === '') {
      rest.push(arg)
      continue
    }
    const name = known.short?.[written] ?? written
    if (known.bare.includes(name)) values.set(name, value ?? 'true')
    else if (known.valued.includes(name)) {
      if (value === undefined && at + 1 >= args.length) throw new Wrong(`flag needs an argument: --${name}`)
      values.set(name, value ?? args[++at] ?? '')
    } else throw new Wrong(`unknown flag: --${written}`)
  }
  return { values, rest }
}
