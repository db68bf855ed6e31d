import { assertNever } from '#kit/brand.ts'
import { declared, type SettingName, type Settings } from './declared-settings.ts'

/** Where the value of a setting came from. */
export type Origin = 'flag' | 'environment' | 'file' | 'default'

export interface Resolved {
  readonly settings: Settings
  readonly origins: Readonly<Record<SettingName, Origin>>
}

/** What is wrong with a setting, in a sentence that names it. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}

/** A setting that is well written, and that cannot be used here and now: said by whoever tried, who does not know where it came from. */
export class UnusableSetting extends Error {
  override readonly name = 'UnusableSetting'
  readonly setting: SettingName
  readonly why: string
  constructor(setting: SettingName, why: string) {
    super(`Cannot use ${setting}: ${why}`)
    this.setting = setting
    this.why = why
  }
}

/** The same, told with what was said and where. */
export function toldOf({ setting, why }: UnusableSetting, { settings, origins }: Resolved): string {
  const shown = declared[setting].secret ? '' : ` ${JSON.stringify(settings[setting])}`
  return `Cannot use${shown} for ${wordOf(setting, origins[setting])}: ${why}`
}

/** How a setting is called where it was given. */
function wordOf(name: SettingName, origin: Origin): string {
  switch (origin) {
    case 'flag':
      return `--${name}`
    case 'environment':
      return variableOf(name)
    case 'file':
      return `${name} in roundhouse.yml`
    case 'default':
      return `${name}, which is not set`
    default:
      return assertNever(origin)
  }
}

export interface Sources {
  /** By name, as text. */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** roundhouse.yml, where there is one. */
  readonly file: SettingsFile | undefined
}

/** A file of settings and who can read it: where there is none, nobody has to be there. */
export interface SettingsFile {
  /** Throws where the file cannot be read. */
  readonly text: () => string
  readonly parse: (text: string) => unknown
}

/** The variable of a setting: `ROUNDHOUSE_BASE_URL` of `base-url`. */
export const variableOf = (name: string): string => `ROUNDHOUSE_${name.toUpperCase().replaceAll('-', '_')}`

const names = Object.keys(declared) as SettingName[]

/** Variables that begin like ours but are for our tests. */
const isForTests = (variable: string): boolean => variable.startsWith('ROUNDHOUSE_TEST_')
/** Read by the agent, which has no settings. */
const isForAgents = (variable: string): boolean => variable === 'ROUNDHOUSE_AGENT_TOKEN'

/** Finds every setting: a flag wins over a variable, a variable over the file, the file over the default. Refuses what it does not know. */
export function resolveSettings({ flags, environment, file }: Sources): Resolved {
  const written = fileSettings(file)
  const known = new Set(names.map(variableOf))
  for (const name of Object.keys(environment)) {
    if (name.startsWith('ROUNDHOUSE_') && !known.has(name) && !isForTests(name) && !isForAgents(name))
      throw new BadSetting(`Unknown setting ${name} in the environment`)
  }
  const settings: Record<string, unknown> = {}
  const origins: Record<string, Origin> = {}
  for (const name of names) {
    const { value, origin } = given(name, flags, environment, written)
    origins[name] = origin
    settings[name] = value === undefined ? declared[name].fallback : read(name, value, wordOf(name, origin))
  }
  return { settings: settings as unknown as Settings, origins: origins as Record<SettingName, Origin> }
}

function given(
  name: SettingName,
  flags: Sources['flags'],
  environment: Sources['environment'],
  written: ReadonlyMap<string, string>,
) {
  const variable = environment[variableOf(name)]
  if (flags[name] !== undefined) return { value: flags[name], origin: 'flag' } as const
  if (variable !== undefined && variable !== '') return { value: variable, origin: 'environment' } as const
  if (written.has(name)) return { value: written.get(name), origin: 'file' } as const
  return { value: undefined, origin: 'default' } as const
}

function read(name: SettingName, text: string, as: string): unknown {
  try {
    return declared[name].read(text)
  } catch (error) {
    const shown = declared[name].secret ? '' : ` ${JSON.stringify(text)}`
    throw new BadSetting(`Cannot use${shown} for ${as}: ${error instanceof Error ? error.message : 'it is wrong'}`)
  }
}

function fileSettings(file: SettingsFile | undefined): ReadonlyMap<string, string> {
  if (file === undefined) return new Map()
  let tree: unknown
  try {
    tree = file.parse(file.text())
  } catch (error) {
    throw new BadSetting(
      `Cannot read roundhouse.yml: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it is no YAML'}`,
    )
  }
  if (tree === null || tree === undefined) return new Map()
  if (typeof tree !== 'object' || Array.isArray(tree))
    throw new BadSetting('Cannot read roundhouse.yml: it must be a map of settings')
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(tree)) {
    if (!Object.hasOwn(declared, name)) throw new BadSetting(`Unknown setting ${name} in roundhouse.yml`)
    const words: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (words.some((word) => word === null || typeof word === 'object')) {
      throw new BadSetting(
        `Cannot use the value of ${name} in roundhouse.yml: it must be a text, a number or a list of them`,
      )
    }
    found.set(name, words.join(','))
  }
  return found
}

/** Every setting with its value, its origin and what it is for; secrets are not shown. */
export function describeSettings({ settings, origins }: Resolved): string {
  const rows = names.map((name) => {
    const { secret, about } = declared[name]
    const value = settings[name]
    const shown =
      secret && value !== undefined
        ? '(set)'
        : value === undefined || (Array.isArray(value) && value.length === 0)
          ? '-'
          : typeof value === 'object' && !Array.isArray(value)
            ? JSON.stringify(value)
            : String(value)
    return [name, shown, origins[name], about] as const
  })
  const width = (column: 0 | 1 | 2) => Math.max(...rows.map((row) => row[column].length))
  return rows
    .map((row) => `${row[0].padEnd(width(0))}  ${row[1].padEnd(width(1))}  ${row[2].padEnd(width(2))}  ${row[3]}`)
    .join('\n')
}
