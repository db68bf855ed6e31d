import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, writeWhole } from '#agent/whole-file.ts'

/*
 * A mirror is a folder:
 *
 *   git/          a bare repository, all of it in packs
 *   state.json    what is known to be in it, written when it is
 *   known_hosts   the key of its host, as it was first met
 */

/** What is known of a mirror since it was last fetched. Never half written; what it names is there, or the mirror is broken. */
export interface MirrorState {
  /** Milliseconds, by the clock of the machine. */
  readonly fetchedAt: number
  /** The default branch of the repository, where it has one. */
  readonly head: string | null
  /** Lines of `<object> <name>`, in the order of git. */
  readonly refs: string
  /** Revisions that are there, with all that a checkout of them needs, beside those of `refs`. */
  readonly known: readonly string[]
  /** Files of `objects/pack`, with their sizes. */
  readonly packs: Readonly<Record<string, number>>
}

const stateFile = (folder: string) => join(folder, 'state.json')

/** Where the repository of a mirror is. */
export const gitDirOf = (folder: string): string => join(folder, 'git')

/** Where the packs of a repository are. */
export const packsOf = (gitDir: string): string => join(gitDir, 'objects', 'pack')

export const writeState = (folder: string, state: MirrorState): void =>
  writeWhole(stateFile(folder), JSON.stringify(state))

/** Undefined where there is no mirror, and where files of it are missing or have another length than they should. */
export function readState(folder: string): MirrorState | undefined {
  const state = readJson<MirrorState>(stateFile(folder))
  if (!state) return undefined
  const packs = packsOf(gitDirOf(folder))
  const isWhole = ([name, size]: [string, number]) =>
    statSync(join(packs, name), { throwIfNoEntry: false })?.size === size
  return Object.entries(state.packs).every(isWhole) ? state : undefined
}

/** What makes up the packs of a repository, with sizes. Files that are still being written are not among them. */
export function listPacks(gitDir: string): Readonly<Record<string, number>> {
  const folder = packsOf(gitDir)
  const names = readdirSync(folder).filter((name) => /^pack-[0-9a-f]+\.(pack|idx|promisor)$/.test(name))
  return Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).size]))
}

/** Whether there are objects outside of packs. */
export const hasLoose = (gitDir: string): boolean =>
  readdirSync(join(gitDir, 'objects')).some((name) => /^[0-9a-f]{2}$/.test(name))

/** How many bytes the packs of a mirror take. */
export function bytesOf(folder: string): number {
  const git = gitDirOf(folder)
  if (!existsSync(packsOf(git))) return 0
  return Object.values(listPacks(git)).reduce((sum, size) => sum + size, 0)
}
