import type { Registry } from '#config/definitions/orbs.ts'
import { readOrbReference } from '#config/orb-reference.ts'
import { type OrbShelf, registryOf } from '#config/orb-registry.ts'
import type { OrbAddresses } from './orb-addresses.ts'

/** Where configurations get their orbs from: what is known at this moment, and a way to learn more. */
export interface OrbSources {
  readonly registry: Registry
  /** Finds out about references that were asked for. True when the registry may answer differently now. */
  readonly learn: (asked: ReadonlySet<string>) => Promise<boolean>
  /** The same for somebody who allows these addresses beside those of the operator. */
  readonly allowing?: (prefixes: readonly string[]) => OrbSources
}

/** A shelf that has to be filled: with what was asked for, and now and then with news. */
export interface FilledShelf extends OrbShelf {
  readonly learn?: (asked: readonly { readonly orb: string; readonly version: string }[]) => Promise<boolean>
}

/** A registry over a shelf, and over the addresses that the operator allows. */
export function orbSources(shelf: FilledShelf, addresses?: OrbAddresses, prefixes: readonly string[] = []): OrbSources {
  return {
    registry: registryOf(shelf, addresses && ((address) => addresses.found(address, prefixes))),
    allowing: (more) => orbSources(shelf, addresses, more),
    async learn(asked) {
      const references = [...asked].map(readOrbReference).filter((reference) => reference !== undefined)
      const orbs = references.filter((reference) => reference.type === 'registry')
      const urls = references.filter((reference) => reference.type === 'address').map(({ address }) => address)
      const fetched = urls.length > 0 && addresses ? await addresses.learn(urls, prefixes) : false
      const filled = orbs.length > 0 && shelf.learn ? await shelf.learn(orbs) : false
      return fetched || filled
    },
  }
}

/** Where there are no orbs but those in a configuration itself. */
export const noOrbs: OrbSources = orbSources({ versionsOf: () => [], textOf: () => undefined })

/** An orb that imports an orb that imports an orb: each takes a round. */
const mostRounds = 8

/**
 * Uses orbs where nothing may wait. What could not be had is fetched meanwhile, and everything is done again with it;
 * `asked` says whether any orb of a registry was wanted at all.
 */
export async function withSources<T>(
  sources: OrbSources,
  use: (orbs: Registry) => T,
): Promise<{ readonly result: T; readonly asked: boolean }> {
  for (let round = 1; ; round++) {
    const asked = new Set<string>()
    const result = use((reference) => {
      asked.add(reference)
      return sources.registry(reference)
    })
    if (asked.size === 0 || round >= mostRounds || !(await sources.learn(asked)))
      return { result, asked: asked.size > 0 }
  }
}
