import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLasting, isVersion } from '#config/orb-reference.ts'
import { type OrbShelf } from '#config/orb-registry.ts'

/** Packed orbs larger than this are nobody's. */
const mostBytes = 5_000_000

/** The file of an orb in a registry folder. Both parts were checked by whoever made them of a text. */
export const orbFile = (folder: string, orb: string, version: string): string => join(folder, orb, `${version}.yml`)

/** A folder of packed orbs, `<namespace>/<name>/<version>.yml`, as it is at this moment. */
export function orbFolder(folder: string): OrbShelf {
  const lasting = new Map<string, string>()
  return {
    versionsOf(orb) {
      const files = unlessMissing(() => readdirSync(join(folder, orb))) ?? []
      return files
        .filter((name) => name.endsWith('.yml'))
        .map((name) => name.slice(0, -4))
        .filter(isVersion)
    },
    textOf(orb, version) {
      const file = orbFile(folder, orb, version)
      const known = lasting.get(file)
      if (known !== undefined) return known
      const text = unlessMissing(() => readFileSync(file, 'utf8'))
      if (text === undefined || text.length > mostBytes) return undefined
      // A published version never changes, so that it is read once.
      if (isLasting(version) && lasting.size < 1000) lasting.set(file, text)
      return text
    },
  }
}

/** A word that changes with what the orbs a configuration names resolve to, and with the text of those in development. */
export function stateOf(shelf: OrbShelf, source: string): string {
  const hash = createHash('sha256')
  for (const orb of new Set([...source.matchAll(/[\w-]+\/[\w-]+(?=@)/g)].map(([name]) => name).slice(0, 1000))) {
    for (const version of shelf.versionsOf(orb).toSorted()) {
      hash.update(`${orb}@${version}\n`)
      if (!isLasting(version)) hash.update(shelf.textOf(orb, version) ?? '')
    }
  }
  return hash.digest('hex')
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  }
}
