import { isVersion, pickVersion } from '#config/orb-reference.ts'
import { fetchMirror, type MirrorAccess } from '#server/vcs/mirror.ts'
import { filesOf, fileText } from '#server/vcs/files.ts'
import type { FilledShelf } from './orb-sources.ts'

const staleMs = 60_000
/** So often at most, whatever is missing: a wrong name must not keep somebody else's server busy. */
const impatientMs = 5_000
const mostTexts = 1_000
const mostBytes = 5_000_000

/** What a registry in git needs. */
export interface RegistryTerms {
  /** Where its mirror lies. */
  readonly path: string
  readonly url: string
  readonly access?: MirrorAccess
  /** Tells the operator what could not be fetched. */
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
  /** Milliseconds. */
  readonly now: () => number
}

/** A git repository as a registry, `<namespace>/<name>/<version>.yml` on its default branch: news at most once a minute, or when something is missing. */
export function orbRepository({ path, url, access, warn, now }: RegistryTerms): FilledShelf {
  let revision = ''
  let versions: ReadonlyMap<string, readonly string[]> = new Map()
  const texts = new Map<string, string>()
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<boolean> | undefined

  async function look(): Promise<boolean> {
    try {
      await fetchMirror(path, url, access, AbortSignal.timeout(120_000))
      const found = await filesOf(path)
      if (found.revision === revision) return false
      versions = versionsIn(found.files)
      revision = found.revision
      texts.clear()
      return true
    } catch (error) {
      warn('Cannot fetch the orb registry', { url, error: String(error) })
      return false
    } finally {
      lookedAt = now()
    }
  }

  /** One look at a time: whoever comes meanwhile gets its answer. */
  function lookOnce(olderThanMs: number): Promise<boolean> | undefined {
    if (looking) return looking
    if (now() - lookedAt < olderThanMs) return undefined
    looking = look().finally(() => (looking = undefined))
    return looking
  }

  async function load(orb: string, wanted: string): Promise<boolean> {
    const version = pickVersion(wanted, versions.get(orb) ?? [])
    if (version === undefined || texts.has(`${orb}@${version}`)) return false
    const text = await fileText(path, revision, `${orb}/${version}.yml`, mostBytes)
    if (text === undefined) return false
    if (texts.size >= mostTexts) texts.clear()
    texts.set(`${orb}@${version}`, text)
    return true
  }

  return {
    versionsOf: (orb) => versions.get(orb) ?? [],
    textOf: (orb, version) => texts.get(`${orb}@${version}`),
    async learn(asked) {
      const isMissing = asked.some(({ orb, version }) => pickVersion(version, versions.get(orb) ?? []) === undefined)
      let changed = (await lookOnce(isMissing ? impatientMs : staleMs)) ?? false
      for (const { orb, version } of asked) changed = (await load(orb, version)) || changed
      return changed
    },
  }
}

function versionsIn(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const file of files) {
    const [, orb, version] = /^([^/]+\/[^/]+)\/([^/]+)\.yml$/.exec(file) ?? []
    if (orb === undefined || version === undefined || !isVersion(version)) continue
    found.set(orb, [...(found.get(orb) ?? []), version])
  }
  return found
}
