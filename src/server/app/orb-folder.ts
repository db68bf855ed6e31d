import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isLasting, isVersion } from '#config/orb-reference.ts'
import type { OrbShelf } from '#config/orb-registry.ts'

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

/**
 * Puts an orb into a registry folder, whole or not at all; false if that version is there already.
 * Only a version in development takes the place of what was there.
 */
export function publishOrb(folder: string, orb: string, version: string, text: string): boolean {
  const file = orbFile(folder, orb, version)
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { flush: true })
    // Unlike a rename, a link never replaces: of two publishers of one version, one is told.
    if (isLasting(version)) linkSync(draft, file)
    else renameSync(draft, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
