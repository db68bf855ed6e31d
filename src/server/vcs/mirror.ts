import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkName, isRefName } from '#core/refs.ts'
import type { GitCall } from './git.ts'
import { runGit } from './git.ts'
import { checkGitUrl, type GitUrl } from './git-url.ts'
import { refsOf } from './refs.ts'
import { createBare, setDefaultBranch } from './repositories.ts'
import { sshCommand } from './ssh-command.ts'

/** What a fetch may use beside the address. */
export interface MirrorAccess {
  /** In OpenSSH form. */
  readonly key?: string | undefined
  /** `user:token`, for a repository that is fetched over HTTP. It goes to the host of the address, and nowhere else. */
  readonly password?: string
  /** The one address of the host that somebody has looked at and allowed: no other is connected to. */
  readonly address?: string
  /** Also lets a path of this machine be fetched: for tests. */
  readonly allowFile?: boolean
}

const tenMinutes = 600_000

/**
 * Makes a bare repository the same as one that lives elsewhere: every branch and tag, no more and no less.
 * The first time makes the repository; the default branch is asked for while ours does not exist there.
 */
export async function fetchMirror(
  path: string,
  url: string,
  access: MirrorAccess | string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const given = typeof access === 'string' ? { key: access } : (access ?? {})
  await createBare(path)
  await using call = await callFor(path, url, given, signal)
  const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
  const quietly = ['--quiet', '--force', '--prune', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
  await runGit([`--git-dir=${path}`, 'fetch', ...quietly, '--', url, ...refspecs], call.options)
  const { head, refs } = await refsOf(path, signal)
  if (head !== undefined && refs.has(`refs/heads/${head}`)) return
  const branch = await defaultBranch(url, call.options)
  if (branch !== undefined) await setDefaultBranch(path, branch)
}

/** Fetches one commit by its name alone, under no ref: for as long as a repository keeps what no ref has. */
export async function fetchRevision(
  path: string,
  url: string,
  revision: string,
  access: MirrorAccess,
  signal: AbortSignal,
): Promise<void> {
  checkName('revision', revision)
  await createBare(path)
  await using call = await callFor(path, url, access, signal)
  const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
  await runGit([`--git-dir=${path}`, 'fetch', ...quietly, '--', url, revision], call.options)
}

async function defaultBranch(url: string, options: GitCall): Promise<string | undefined> {
  const answer = await runGit(['ls-remote', '--symref', '--', url, 'HEAD'], options)
  const name = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(answer.toString())?.[1] ?? ''
  return isRefName(name) ? name : undefined
}

/** The settings of a call to another machine; the key lies in a file of its own until it is disposed of. */
export async function callFor(path: string, url: string, access: MirrorAccess, signal: AbortSignal) {
  const local = access.allowFile === true && url.startsWith('/')
  const target = local ? undefined : checkGitUrl(url)
  const keyFile = access.key === undefined ? undefined : join(path, `key.${randomUUID()}`)
  if (keyFile !== undefined) await writeFile(keyFile, withNewline(access.key ?? ''), { mode: 0o600, flag: 'wx' })
  const knownHosts = join(path, 'known_hosts')
  const options: GitCall = {
    signal,
    timeoutMs: tenMinutes,
    config: {
      'fetch.fsckObjects': 'true',
      ...fsckAsPushed,
      ...pinned(target, access.address),
      ...opened(target, access),
    },
    environment: {
      GIT_ALLOW_PROTOCOL: local ? 'file' : 'http:https:ssh',
      GIT_SSH_VARIANT: 'ssh',
      GIT_SSH_COMMAND: sshCommand({ keyFile, knownHosts, host: target?.host, address: access.address }),
    },
  }
  return {
    options,
    [Symbol.asyncDispose]: async () => {
      if (keyFile !== undefined) await rm(keyFile, { force: true })
    },
  }
}

/** The same old faults are let through as in a push. */
const fsckAsPushed = {
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.badTimezone': 'ignore',
}

function pinned(target: GitUrl | undefined, address: string | undefined): Readonly<Record<string, string>> {
  if (!target || address === undefined || target.protocol === 'ssh') return {}
  return { 'http.curloptResolve': `${target.host}:${target.port}:${address}` }
}

/** Redirects are not followed, so that nobody else is shown it; it stands in no argument, which others could list. */
function opened(target: GitUrl | undefined, { password }: MirrorAccess): Readonly<Record<string, string>> {
  if (!target || password === undefined || target.protocol === 'ssh') return {}
  return { 'http.extraHeader': `Authorization: Basic ${Buffer.from(password).toString('base64')}` }
}

/** ssh does not read a key whose last line is not ended. */
const withNewline = (key: string) => (key.endsWith('\n') ? key : `${key}\n`)
