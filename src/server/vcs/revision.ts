import { configPaths } from '#core/names.ts'
import { checkName } from '#core/refs.ts'
import { Refusal } from '#kit/refusal.ts'
import { type Commit, parseCommit } from './commit.ts'
import { GitFailure, runGit } from './git.ts'
import { type GitObject, readObjects } from './objects.ts'

export type { Commit, Signature } from './commit.ts'

/** A configuration file as it lies in a repository. */
export interface ConfigFile {
  readonly path: string
  readonly text: string
}

/** What must be known of a revision to build it. */
export interface Revision {
  readonly commit: Commit
  /** The first that exists of the places where a configuration may lie. */
  readonly config: ConfigFile | undefined
}

/** A configuration has no more bytes than this. */
export const largestConfig = 10_000_000
const largestCommit = 1_000_000
/** A repository may hold a file in each place, and git prints them all. */
const largestAnswer = largestCommit + configPaths.length * largestConfig

/** Reads a commit and its configuration, in one process (7 ms). */
export async function readRevision(path: string, revision: string, signal?: AbortSignal): Promise<Revision> {
  checkName('revision', revision)
  const places = configPaths.map((place) => `${revision}:${place}`)
  const [commit, ...files] = await readObjects(path, [`${revision}^{commit}`, ...places], largestAnswer, signal)
  return { commit: toCommit(commit), config: firstConfig(files) }
}

/** Reads what a commit says of itself. */
export async function commitOf(path: string, revision: string, signal?: AbortSignal): Promise<Commit> {
  checkName('revision', revision)
  const [commit] = await readObjects(path, [`${revision}^{commit}`], largestCommit, signal)
  return toCommit(commit)
}

/** Whether a repository is there and has a commit, whichever of its refs leads to it, or none. */
export async function hasCommit(path: string, revision: string): Promise<boolean> {
  try {
    await commitOf(path, revision)
    return true
  } catch (error) {
    // git says no to a folder that is not there.
    if (error instanceof GitFailure || (error instanceof Refusal && error.code === 'not-found')) return false
    throw error
  }
}

/** Reads the configuration of a revision; nothing where it has none. */
export async function configOf(path: string, revision: string, signal?: AbortSignal): Promise<ConfigFile | undefined> {
  return (await readRevision(path, revision, signal)).config
}

/** Reads one file of a revision as a configuration; nothing where there is none of that name. */
export async function configAt(
  path: string,
  revision: string,
  place: string,
  signal?: AbortSignal,
): Promise<ConfigFile | undefined> {
  checkName('revision', revision)
  checkName('file', place)
  const [file] = await readObjects(path, [`${revision}:${place}`], largestConfig + 1_000, signal)
  return file?.type === 'blob' ? toConfig(place, file) : undefined
}

/** The newest commits that a branch got when it moved from one revision to another; of a new branch, its newest. */
export async function commitsBetween(
  path: string,
  move: { readonly from: string | undefined; readonly to: string },
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Commit[]> {
  const to = checkName('revision', move.to)
  const from = move.from === undefined || /^0+$/.test(move.from) ? [] : [`^${checkName('revision', move.from)}`]
  // What a branch was before may be gone by now: then it is as if it were new.
  const args = [
    `--git-dir=${path}`,
    'rev-list',
    '--ignore-missing',
    `--max-count=${Math.trunc(limit)}`,
    to,
    ...from,
    '--',
  ]
  const revisions = (await runGit(args, { signal })).toString().split('\n').filter(Boolean)
  const commits = await readObjects(path, revisions, largestCommit + revisions.length * 100_000, signal)
  return commits.map(toCommit)
}

/** Whether a commit belongs to a branch or a tag of a repository; one that is not there at all belongs to none. */
export async function isOnBranch(path: string, revision: string): Promise<boolean> {
  const args = [`--git-dir=${path}`, 'for-each-ref', '--count=1', '--contains', checkName('revision', revision)]
  try {
    return (await runGit([...args, 'refs/heads', 'refs/tags'])).length > 0
  } catch (error) {
    if (error instanceof GitFailure) return false
    throw error
  }
}

/** How many commits a branch got when it moved; of a new one, those that another branch does not have. */
export async function countCommits(path: string, to: string, without: string | undefined): Promise<number> {
  const known = without === undefined ? [] : [`^${without}`]
  const args = [
    `--git-dir=${path}`,
    'rev-list',
    '--count',
    '--ignore-missing',
    checkName('revision', to),
    ...known,
    '--',
  ]
  return Number((await runGit(args)).toString())
}

function toCommit(object: GitObject | undefined): Commit {
  if (object?.type !== 'commit') throw new Refusal('not-found', 'Revision not found.')
  return parseCommit(object.id, object.content)
}

function firstConfig(files: readonly (GitObject | undefined)[]): ConfigFile | undefined {
  const index = files.findIndex((file) => file?.type === 'blob')
  const [path, file] = [configPaths[index], files[index]]
  return path === undefined || !file ? undefined : toConfig(path, file)
}

function toConfig(path: string, file: GitObject): ConfigFile {
  if (file.content.length > largestConfig) {
    throw new Refusal(
      'too-large',
      `Cannot use ${path} as it may have ${largestConfig} bytes: it has ${file.content.length}`,
    )
  }
  return { path, text: file.content.toString('utf8') }
}
