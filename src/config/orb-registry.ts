import type { FoundOrb, Registry } from './definitions/orbs.ts'
import { byVersion, pickVersion, readOrbReference } from './orb-reference.ts'

/** Where packed orbs lie: by `namespace/name`, and then by version. */
export interface OrbShelf {
  /** The versions of an orb; none if there is no such orb. */
  readonly versionsOf: (orb: string) => readonly string[]
  readonly textOf: (orb: string, version: string) => string | undefined
}

const forms = '<namespace>/<name>@ with 1.2.3, 1.2, 1, volatile or dev:<label>'
const howToAdd = (target: string) => `Add it to the registry with: roundhouse orb publish <file> ${target}`

/** The registry over a shelf, and over addresses where there is a way to fetch them; what it refuses it says how to mend. */
export function registryOf(shelf: OrbShelf, atAddress: Registry = notFetched): Registry {
  return (text) => {
    const reference = readOrbReference(text)
    if (!reference) return { problem: `Cannot read orb reference ${text} as it must be ${forms}` }
    if (reference.type === 'address') return atAddress(text)
    const { orb, version } = reference
    const versions = shelf.versionsOf(orb)
    const picked = pickVersion(version, versions)
    const found = picked === undefined ? undefined : shelf.textOf(orb, picked)
    return found === undefined ? missing(text, orb, version, versions) : { text: found, resolved: `${orb}@${picked}` }
  }
}

function notFetched(address: string): FoundOrb {
  const asks =
    'Ask the server instead (POST /api/v2/compile-config-with-defaults), which fetches what its setting orb-urls allows'
  const orPublish = 'or publish a copy with: roundhouse orb publish <file> <namespace>/<name>@<version>'
  return { problem: `Cannot load orb ${address}: nothing is fetched from addresses here. ${asks}, ${orPublish}` }
}

function missing(text: string, orb: string, wanted: string, versions: readonly string[]): FoundOrb {
  const found = `Cannot find ${text} in the orb registry. Check that the namespace, orb name and version are correct.`
  const there = versions.length > 0 ? ` There are versions ${versions.toSorted(byVersion).slice(-10).join(', ')}.` : ''
  return { problem: `${found}${there} ${howToAdd(`${orb}@${publishable(wanted)}`)}` }
}

/** A version that would satisfy a reference: `1.2.0` for `1.2`. */
function publishable(wanted: string): string {
  if (wanted === 'volatile') return '1.0.0'
  if (!/^\d+(\.\d+)?$/.test(wanted)) return wanted
  return wanted.includes('.') ? `${wanted}.0` : `${wanted}.0.0`
}
