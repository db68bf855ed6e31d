import { StepFailed } from '#agent/step-failed.ts'
import type { JobSpec } from '#contract/agent.ts'
import { reachOut } from './fetch.ts'
import { GitFailed } from './git.ts'
import { hostOf, isAmong } from './hosts.ts'
import { openAccess, type Reach, type Source } from './source.ts'

/** A host that does not answer for so long is not asked: the server may reach it. */
const patience = 60_000

/** What is needed to find out where a job's code is to be fetched. */
export interface Asking {
  readonly reach: Reach
  /** For what a call of git needs beside it. */
  readonly folder: string
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/**
 * Where a job's code is fetched from. A repository that opens to everybody is fetched from where it is; one that does not is read through the
 * server, where the server says that it can. In the job it has its own address all the same.
 */
export async function sourceOf({ checkout, token }: JobSpec, asking: Asking): Promise<Source> {
  const { through, ...source } = checkout
  if (!through || (await isOpen({ ...source, private_key: null, token }, asking))) return { ...source, token }
  asking.say('The repository does not open without a token: it is read through the server\n')
  return { ...source, ...through, with_job_token: true, origin: wholeName(source.url), token }
}

/** git replaces beginnings of addresses: without its end, the name of one repository is the beginning of that of another. */
const wholeName = (url: string) => url.replace(/\/*$/, '').replace(/(?:\.git)?$/, '.git')

async function isOpen(source: Source, { reach, folder, say, signal }: Asking): Promise<boolean> {
  const host = hostOf(source.url)
  if (host === undefined || !isAmong(reach.hosts, host)) return false
  const either = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  try {
    await using access = await openAccess(source, folder, '/dev/null', reach, either)
    await reachOut(['ls-remote', '--quiet', '--', source.url, 'HEAD'], access.call, say, 0)
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (either.aborted || error instanceof GitFailed || error instanceof StepFailed) return false
    throw error
  }
}
