import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quoted } from '#agent/executors/words.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { JobSpec } from '#contract/agent.ts'
import type { GitCall } from './git.ts'
import { checkHost } from './hosts.ts'
import { movedTo } from './redirect.ts'

/** Where a job's code is, and what opens it. */
export type Source = Omit<JobSpec['checkout'], 'through'> & {
  readonly token: string
  /** What the job's repository has as the address that it came from; `url` unless given. */
  readonly origin?: string
}

/** What agents fetch over; a path of this machine only where a test allows it. */
export const protocols = 'http:https:ssh:git'

/** What git may reach when it fetches. */
export interface Reach {
  readonly protocols: string
  /** The hosts that it may ask; any unless given. That of the server itself is always among them. */
  readonly hosts?: readonly string[] | undefined
}

/** Refuses what git would take for an option, a path or a rule, so that it can be said to git as it is. */
export function checkSource(source: Source, { hosts }: Reach): void {
  const { url, origin = url, revision, branch, tag, with_job_token } = source
  const refuse = (what: string, value: string) => {
    throw new StepFailed(`Cannot check out as the ${what} is not valid: ${value}`)
  }
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision)) refuse('revision', revision)
  for (const address of [url, origin])
    if (address === '' || address.startsWith('-') || /[\0-\x20\x7f]/.test(address))
      refuse('address of the repository', address)
  if (branch !== null && !isRef(branch)) refuse('branch', branch)
  if (tag !== null && !isRef(tag)) refuse('tag', tag)
  if (!with_job_token) checkHost(url, hosts)
}

/** What git accepts as the rest of `refs/heads/`. */
const isRef = (ref: string) =>
  ref !== '' && ref !== 'HEAD' && !/^[-/.]|[/.]$|\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)|[\0-\x20\x7f~^:?*[\\]/.test(ref)

/** The same for those who may see the same: whoever opens a repository with another key has a mirror of his own. */
export const identityOf = ({ url, revision, with_job_token, private_key }: Source, kind: string): string =>
  createHash('sha256')
    .update([kind, url, revision.length, with_job_token, private_key ?? ''].join('\0'))
    .digest('hex')
    .slice(0, 32)

/** How git reaches a source: settings and variables of its calls. */
export interface Access extends AsyncDisposable {
  /** What every call begins with. */
  readonly call: GitCall
}

/**
 * Opens a source for calls of git by the agent. No credential stands in an argument or in a file of a repository; a key
 * lies in a file of its own, in `folder`, until this is disposed of. Keys of hosts are remembered in `knownHosts`.
 */
export async function openAccess(
  source: Source,
  folder: string,
  knownHosts: string,
  reach: Reach,
  signal: AbortSignal,
): Promise<Access> {
  const { url, token, with_job_token, private_key } = source
  const keyFile = private_key === null ? undefined : join(folder, `key-${randomBytes(8).toString('hex')}`)
  if (keyFile !== undefined) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(keyFile, `${private_key?.trimEnd()}\n`, { mode: 0o600, flag: 'wx' })
  }
  let known: Promise<string> | undefined
  const moved = async () => {
    known ??= movedTo(url, reach.hosts, signal)
    return { [`url.${await known}.insteadOf`]: url }
  }
  const header = with_job_token ? { [`http.${url}.extraHeader`]: `Authorization: Bearer ${token}` } : {}
  return {
    call: {
      signal,
      // It would follow to any host, and take a token along.
      settings: { ...header, 'http.followRedirects': 'false' },
      environment: {
        GIT_ALLOW_PROTOCOL: reach.protocols,
        GIT_SSH_VARIANT: 'ssh',
        GIT_SSH_COMMAND: sshCommand(keyFile, knownHosts),
      },
      ...(!with_job_token && { moved }),
    },
    [Symbol.asyncDispose]: async () => {
      if (keyFile !== undefined) await rm(keyFile, { force: true })
    },
  }
}

/** A host that is met for the first time is believed and remembered; one whose key has changed is refused. */
function sshCommand(keyFile: string | undefined, knownHosts: string): string {
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    `IdentityFile=${keyFile === undefined ? 'none' : named(keyFile)}`,
    'StrictHostKeyChecking=accept-new',
    // In a job's own file they must be readable as they are.
    'HashKnownHosts=no',
    `UserKnownHostsFile=${named(knownHosts)}`,
    'GlobalKnownHostsFile=/dev/null',
    'ConnectTimeout=20',
    'ServerAliveInterval=15',
  ]
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', option])].map(quoted).join(' ')
}

/** ssh splits file names at blanks unless they are quoted, and expands percent signs even then. */
const named = (path: string) => `"${path.replaceAll('%', '%%')}"`
