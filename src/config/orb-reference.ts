/** What stands behind a name under `orbs`: an orb of a registry, or an address. */
export type OrbReference =
  | { readonly type: 'registry'; readonly orb: string; readonly version: string }
  | { readonly type: 'address'; readonly address: string }

const word = '[A-Za-z0-9](?:[A-Za-z0-9_-]{0,126}[A-Za-z0-9_])?'
const registryForm = new RegExp(`^(${word}/${word})@([^@\\s/]+)$`)
const exact = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/
const partial = /^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){0,1}$/
const development = /^dev:[A-Za-z0-9](?:[\w.-]{0,126}[\w-])?$/

/** Takes `namespace/name@version`, or an address, apart; undefined if it is neither. */
export function readOrbReference(text: string): OrbReference | undefined {
  if (/^https?:\/\/\S+$/.test(text)) return { type: 'address', address: text }
  const [, orb, version] = registryForm.exec(text) ?? []
  if (orb === undefined || version === undefined || !isWanted(version)) return undefined
  return { type: 'registry', orb, version }
}

const isWanted = (version: string): boolean => version === 'volatile' || partial.test(version) || isVersion(version)

/** Whether an orb can be published under this version: `1.2.3`, or `dev:label`. */
export const isVersion = (version: string): boolean => exact.test(version) || development.test(version)

/** Whether what was published under a version can never change: of all but `dev:` versions. */
export const isLasting = (version: string): boolean => exact.test(version)

/** The version that is meant by `1.2.3`, `1.2`, `1`, `volatile` or `dev:label` among those that exist (§A11). */
export function pickVersion(wanted: string, versions: readonly string[]): string | undefined {
  if (versions.includes(wanted)) return wanted
  if (isVersion(wanted)) return undefined
  const prefix = wanted === 'volatile' ? '' : `${wanted}.`
  return newest(versions.filter((version) => exact.test(version) && version.startsWith(prefix)))
}

function newest(versions: readonly string[]): string | undefined {
  return versions.toSorted(byVersion).at(-1)
}

/** Puts versions in order: `1.9.0` before `1.10.0`, and what is in development first. */
export function byVersion(a: string, b: string): number {
  const [left, right] = [exact.exec(a), exact.exec(b)]
  if (!left || !right) return Number(left !== null) - Number(right !== null) || (a < b ? -1 : 1)
  const differences = [1, 2, 3].map((part) => Number(left[part]) - Number(right[part]))
  return differences.find((difference) => difference !== 0) ?? 0
}
