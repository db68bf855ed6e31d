import { checkName, isRevision } from '#core/refs.ts'
import { runGit } from './git.ts'
import { callFor, type MirrorAccess } from './mirror.ts'
import { createBare } from './repositories.ts'

/** Where the head of a pull request is kept in a mirror: under no name that a clone sees. */
const keptAs = (number: number): string => `refs/pull/${Math.trunc(number)}/head`

/** Fetches the newest commit of a pull request and says which it is. It is kept until the pull request is forgotten. */
export async function fetchPullHead(
  path: string,
  from: { readonly url: string; readonly ref: string; readonly number: number },
  access: MirrorAccess,
  signal: AbortSignal,
): Promise<string> {
  await createBare(path)
  await using call = await callFor(path, from.url, access, signal)
  const quietly = ['--quiet', '--force', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
  const refspec = `+${from.ref}:${keptAs(from.number)}`
  await runGit([`--git-dir=${path}`, 'fetch', ...quietly, '--', from.url, refspec], call.options)
  const revision = (await runGit([`--git-dir=${path}`, 'rev-parse', '--verify', keptAs(from.number)], { signal }))
    .toString()
    .trim()
  if (!isRevision(revision)) throw new Error(`Cannot use ${revision} as the head of pull request ${from.number}`)
  return revision
}

/** Forgets a pull request that was closed; its commits go when nobody can rerun them any more. */
export const dropPullHead = async (path: string, number: number): Promise<void> => {
  await runGit([`--git-dir=${path}`, 'update-ref', '-d', keptAs(number)])
}

/** What the head of a branch is called at a provider that has no refs for pull requests. */
export const branchRef = (branch: string): string => `refs/heads/${checkName('branch', branch)}`
