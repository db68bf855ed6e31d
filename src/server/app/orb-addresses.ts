import type { FoundOrb } from '#config/definitions/orbs.ts'
import { fetchText } from './fetch-text.ts'
import type { Resolve } from './guard.ts'

/** Orbs that lie at addresses. */
export interface OrbAddresses {
  /** `more` are prefixes that whoever asks allows beside the operator's. */
  readonly found: (address: string, more?: readonly string[]) => FoundOrb | undefined
  /** Fetches what is not known, or not any more; true when something was. */
  readonly learn: (addresses: readonly string[], more?: readonly string[]) => Promise<boolean>
}

const keptMs = 5 * 60_000
const failedMs = 15_000
const mostKept = 200
const mostBytes = 5_000_000

/** What an operator says about addresses. */
export interface AddressTerms {
  /** What an address must begin with. */
  readonly prefixes: readonly string[]
  /** Hosts that may be inside of our own network, or without TLS. */
  readonly hosts: readonly string[]
  /** Tells the operator what could not be fetched. */
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
  /** Milliseconds. */
  readonly now: () => number
  /** How names are looked up; as the system does it unless told otherwise. */
  readonly resolve?: Resolve
}

/** Orbs from the addresses that an operator allows; each is kept for five minutes, as people expect. */
export function orbAddresses({ prefixes, hosts, warn, now, resolve }: AddressTerms): OrbAddresses {
  const kept = new Map<string, { readonly orb: FoundOrb; readonly until: number }>()

  async function load(address: string): Promise<FoundOrb> {
    try {
      return { text: await fetchText(address, { hosts, mostBytes, resolve }), resolved: address }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      warn('Cannot fetch an orb', { address, error: why })
      return { problem: `Cannot load orb ${address}: ${why}` }
    }
  }

  return {
    found: (address, more = []) =>
      isAllowed(address, [...prefixes, ...more])
        ? kept.get(address)?.orb
        : { problem: `Cannot load orb ${address}: ${notAllowed}` },
    async learn(addresses, more = []) {
      const allowed = [...prefixes, ...more]
      const wanted = addresses.filter(
        (address) => isAllowed(address, allowed) && (kept.get(address)?.until ?? 0) <= now(),
      )
      await Promise.all(
        wanted.map(async (address) => {
          const orb = await load(address)
          kept.delete(address)
          kept.set(address, { orb, until: now() + (orb.text === undefined ? failedMs : keptMs) })
        }),
      )
      for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - mostKept))) kept.delete(oldest)
      return wanted.length > 0
    },
  }
}

const notAllowed =
  'its address is not among those that the setting orb-urls allows, nor in the allow list of the organization'

/** Written as a browser would: what climbs or is escaped in the path counts as what it means. */
function isAllowed(address: string, prefixes: readonly string[]): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || url.username !== '' || url.password !== '') return false
  return prefixes.some((prefix) => {
    const allowed = URL.canParse(prefix) ? new URL(prefix).href : undefined
    if (allowed === undefined) return false
    return url.href === allowed || (allowed.endsWith('/') && url.href.startsWith(allowed))
  })
}
