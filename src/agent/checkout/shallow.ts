import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { asStepFailure, reachOut } from './fetch.ts'
import { checkParts } from './filters.ts'
import { GitFailed, runGit } from './git.ts'
import { fetchRevision, initBare } from './mirror.ts'
import { gitDirOf, listPacks } from './mirror-state.ts'
import type { Mirrors } from './mirrors.ts'
import type { Stock } from './seed.ts'
import { openAccess, type Source } from './source.ts'

/** What a shallow checkout wants. */
export interface ShallowWish {
  readonly source: Source
  readonly depth: number
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/**
 * Fetches the newest commits that lead to a revision, and lends them for as long as `read` takes. From the mirror where it
 * has the revision; else from the repository itself, of which nothing more is fetched than was asked for.
 */
export async function withShallow<T>(
  mirrors: Mirrors,
  wish: ShallowWish,
  read: (stock: Stock, knownHosts: string) => Promise<T>,
): Promise<T> {
  const folder = join(mirrors.folder, `shallow-${randomBytes(8).toString('hex')}`)
  const gitDir = gitDirOf(folder)
  try {
    await initBare(gitDir, wish.source, { signal: wish.signal })
    const fromMirror = await mirrors.peek(wish.source, (mirror) => fetchFromMirror(mirror, folder, wish))
    if (!fromMirror) await fetchFromOrigin(mirrors, folder, wish)
    return await read(await stockOf(gitDir, wish), hostsIn(folder))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function fetchFromMirror(mirror: string | undefined, folder: string, wish: ShallowWish): Promise<boolean> {
  const { source, depth, say, signal } = wish
  if (mirror === undefined) return false
  const from = `file://${gitDirOf(mirror)}`
  // A host that is known stays known.
  if (existsSync(hostsIn(mirror))) copyFileSync(hostsIn(mirror), hostsIn(folder))
  try {
    await runGit([`--git-dir=${gitDirOf(folder)}`, 'fetch', ...quietly(depth), '--', from, ...wanted(source)], {
      signal,
    })
    say('Using what this agent fetched before\n')
    return true
  } catch (error) {
    if (error instanceof GitFailed) return false
    throw error
  }
}

async function fetchFromOrigin(mirrors: Mirrors, folder: string, wish: ShallowWish): Promise<void> {
  const { source, depth, say, signal } = wish
  say(`Fetching from remote repository ${source.url}\n`)
  await checkParts(source, mirrors.reach, signal)
  await using access = await openAccess(source, join(folder, 'keys'), hostsIn(folder), mirrors.reach, signal)
  const { call } = access
  const fetch = [`--git-dir=${gitDirOf(folder)}`, 'fetch', ...quietly(depth), '--', source.url]
  try {
    await fetchRevision(fetch, wish, call)
    if (source.tag !== null) await reachOut([...fetch, ...wanted(source).slice(1)], call, say)
  } catch (error) {
    throw asStepFailure(error)
  }
}

const hostsIn = (folder: string) => join(folder, 'known_hosts')

const quietly = (depth: number) => ['--quiet', '--force', '--no-tags', '--no-write-fetch-head', `--depth=${depth}`]

const wanted = ({ revision, tag }: Source): readonly string[] => [
  revision,
  ...(tag === null ? [] : [`+refs/tags/${tag}:refs/tags/${tag}`]),
]

async function stockOf(gitDir: string, { source, signal }: ShallowWish): Promise<Stock> {
  const { branch, tag, revision } = source
  const own = tag === null && branch !== null ? `${revision} refs/heads/${branch}\n` : ''
  const tags = await runGit([`--git-dir=${gitDir}`, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/tags'], {
    signal,
  })
  return {
    gitDir,
    packs: Object.keys(listPacks(gitDir)),
    refs: own + tags,
    head: null,
    isPartial: false,
    isShallow: existsSync(join(gitDir, 'shallow')),
  }
}
