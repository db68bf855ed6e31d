import { rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StepFailed } from '#agent/step-failed.ts'
import { asStepFailure, isPassing, reachOut } from './fetch.ts'
import { asUnfiltered, asUngiven, checkParts } from './filters.ts'
import { type GitCall, GitFailed, runGit } from './git.ts'
import { gitDirOf, hasLoose, listPacks, type MirrorState, readState, writeState } from './mirror-state.ts'
import { openAccess, type Reach, type Source } from './source.ts'

/** All of a repository, or all but the files of revisions that nobody asked for. */
export type MirrorKind = 'full' | 'blobless'

/** What one job wants of a mirror. */
export interface Wish {
  readonly source: Source
  readonly kind: MirrorKind
  readonly say: (text: string) => void
  readonly signal: AbortSignal
  readonly reach: Reach
  /** Resolves when nobody reads the mirror: to be awaited before anything is taken out of it. */
  readonly unread: () => Promise<void>
}

/** So old may be what is known of the other branches, where the revision itself is there. */
const freshMs = 60_000
/** From so many packs on they are put together: each is a file that every checkout copies. */
const mostPacks = 20
const mostKnown = 1000

/**
 * Makes sure that a mirror holds what a job wants, by fetching where it does not, and says what it holds.
 * One that is broken, or cannot be fetched into for a reason of its own, is made anew. To be called by one at a time.
 */
export async function refresh(folder: string, wish: Wish): Promise<MirrorState> {
  const { source, say } = wish
  const state = readState(folder)
  const complete = state !== undefined && (await holds(folder, state, wish))
  if (complete && isFresh(state)) {
    say('Using what this agent fetched before\n')
    return state
  }
  say(`Fetching from remote repository ${source.url}\n`)
  try {
    return await fetchInto(folder, state, wish, complete ? 1 : undefined)
  } catch (error) {
    wish.signal.throwIfAborted()
    if (complete && error instanceof GitFailed && isPassing(error)) {
      say(`${error.words}\nGoing on with what this agent fetched before\n`)
      return state
    }
    if (!(error instanceof GitFailed) || isPassing(error) || !state) throw asStepFailure(error)
    say(`${error.words}\nMaking the mirror of this agent anew\n`)
  }
  return fetchInto(folder, undefined, wish).catch((error: unknown) => {
    throw asStepFailure(error)
  })
}

const isFresh = ({ fetchedAt }: MirrorState) => Math.abs(Date.now() - fetchedAt) < freshMs

async function holds(folder: string, state: MirrorState, { source, kind, signal }: Wish): Promise<boolean> {
  const { revision, branch, tag } = source
  const { refs, known } = state
  if (tag !== null && !refs.includes(` refs/tags/${tag}\n`)) return false
  if (tag === null && branch !== null && !isPull(branch) && !refs.includes(` refs/heads/${branch}\n`)) return false
  if (known.includes(revision)) return true
  if (kind === 'blobless') return false
  return refs.includes(`${revision} `) || hasCommit(gitDirOf(folder), revision, { signal })
}

const hasCommit = (gitDir: string, revision: string, call: GitCall) =>
  runGit([`--git-dir=${gitDir}`, 'cat-file', '-e', `${revision}^{commit}`], call).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitFailed) return false
      throw error
    },
  )

async function fetchInto(
  folder: string,
  before: MirrorState | undefined,
  wish: Wish,
  tries?: number,
): Promise<MirrorState> {
  const { source, kind, say, signal } = wish
  const gitDir = gitDirOf(folder)
  if (kind === 'blobless') await checkParts(source, wish.reach, signal)
  await using access = await openAccess(source, join(folder, 'keys'), join(folder, 'known_hosts'), wish.reach, signal)
  const { call } = access
  if (!before) await makeEmpty(folder, wish)
  const git = [`--git-dir=${gitDir}`]
  const quietly = ['--quiet', '--force', '--no-tags', '--no-write-fetch-head', ...filterOf(kind)]
  const all = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
  await reachOut([...git, 'fetch', ...quietly, '--prune', '--', 'origin', ...all], call, say, tries).catch(
    (error: unknown) => {
      throw asUnfiltered(error)
    },
  )
  if (!(await hasCommit(gitDir, source.revision, { signal }))) {
    await fetchRevision([...git, 'fetch', ...quietly, '--', 'origin'], wish, call)
  }
  if (kind === 'blobless') await fetchFiles(git, wish, call)
  // A host that serves only files gives objects one by one.
  if (hasLoose(gitDir)) await runGit([...git, 'repack', '-q', '-d', '--no-write-bitmap-index'], call)
  const refs = await runGit(
    [...git, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'],
    call,
  )
  const head = before && isBranch(refs, before.head) ? before.head : await defaultBranch(git, wish, call)
  if (kind === 'full' && Object.keys(listPacks(gitDir)).length > 2 * mostPacks) {
    await wish.unread()
    await runGit([...git, 'repack', '-q', '-d', '--geometric=2', '--no-write-bitmap-index'], call)
  }
  const state: MirrorState = {
    fetchedAt: Date.now(),
    head,
    refs,
    known: [...new Set([...(before?.known ?? []), source.revision])].slice(-mostKnown),
    packs: listPacks(gitDir),
  }
  writeState(folder, state)
  return state
}

/** Makes an empty repository in place of whatever is there. */
async function makeEmpty(folder: string, { source, kind, signal, unread }: Wish): Promise<void> {
  const gitDir = gitDirOf(folder)
  await unread()
  rmSync(join(folder, 'state.json'), { force: true })
  await rm(gitDir, { recursive: true, force: true, maxRetries: 3 })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await initBare(gitDir, source, { signal })
  const set = (key: string, value: string) => runGit([`--git-dir=${gitDir}`, 'config', key, value], { signal })
  await set('remote.origin.url', source.url)
  // So that it serves parts of itself: shallow checkouts are made from it.
  await set('uploadpack.allowAnySHA1InWant', 'true')
  if (kind === 'full') return
  await set('remote.origin.promisor', 'true')
  await set('remote.origin.partialclonefilter', 'blob:none')
}

/** Makes an empty bare repository for objects of the kind that the source has. */
export const initBare = (gitDir: string, { revision }: Source, call: GitCall): Promise<string> => {
  const format = revision.length === 64 ? 'sha256' : 'sha1'
  return runGit(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', gitDir], call)
}

export const filterOf = (kind: MirrorKind): readonly string[] => (kind === 'blobless' ? ['--filter=blob:none'] : [])

/** Pull requests of forks are on no branch: they have names of their own, and their numbers instead of a branch. */
const isPull = (branch: string) => /^(?:pull|pull-requests|merge-requests)\/\d+(?:\/|$)/.test(branch)

/** Fetches a revision that is on no branch any more, or never was. */
export async function fetchRevision(
  fetch: readonly string[],
  { source, say }: Pick<Wish, 'source' | 'say'>,
  call: GitCall,
): Promise<void> {
  const { revision, branch } = source
  const number = branch !== null && isPull(branch) ? /\d+/.exec(branch)?.[0] : undefined
  const pulls = number === undefined ? [] : [`refs/pull/${number}/head`, `refs/merge-requests/${number}/head`]
  let reason: unknown
  for (const wanted of [revision, ...pulls]) {
    try {
      await reachOut([...fetch, wanted], call, say)
      return
    } catch (error) {
      if (!(error instanceof GitFailed) || isPassing(error)) throw error
      reason ??= error
    }
  }
  const words = reason instanceof GitFailed ? reason.words : ''
  throw new StepFailed(`Cannot find revision ${revision} in the repository: ${words}`)
}

/** Fetches the files of a revision in one go, where the mirror holds only what leads to them. */
async function fetchFiles(git: readonly string[], { source, say }: Wish, call: GitCall): Promise<void> {
  const listed = await runGit(
    [...git, 'rev-list', '--objects', '--missing=print', '--no-object-names', '--no-walk', source.revision],
    call,
  )
  const missing = listed.split('\n').filter((line) => line.startsWith('?'))
  if (missing.length === 0) return
  const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none', '--stdin', 'origin']
  const settings = { ...call.settings, 'fetch.negotiationAlgorithm': 'noop' }
  await reachOut(
    [...git, ...words],
    { ...call, settings, input: missing.map((line) => `${line.slice(1)}\n`).join('') },
    say,
  ).catch((error: unknown) => {
    throw asUngiven(error)
  })
}

const isBranch = (refs: string, name: string | null) => name !== null && refs.includes(` refs/heads/${name}\n`)

async function defaultBranch(git: readonly string[], { say }: Wish, call: GitCall): Promise<string | null> {
  const answer = await reachOut([...git, 'ls-remote', '--symref', '--', 'origin', 'HEAD'], call, say)
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(answer)?.[1] ?? null
}
