import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** git ran and said no. */
export class GitFailed extends Error {
  override readonly name = 'GitFailed'
  /** What it said, trimmed; never a credential, as git is given none in a way that it would repeat. */
  readonly words: string

  constructor(command: string, code: number | string, words: string) {
    super(`git ${command} ended with ${code}: ${words}`)
    this.words = words
  }
}

/** One call of git by the agent. */
export interface GitCall {
  readonly signal: AbortSignal
  readonly settings?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  /** Settings for another try, where the repository is said to be elsewhere. Rejects where git is not to go there. */
  readonly moved?: (() => Promise<Readonly<Record<string, string>>>) | undefined
}

/** What is kept of what git complains, and the most that it may answer. */
const mostWords = 4000
const mostAnswer = 256 * 1024 * 1024

/**
 * Holds for every call, so that nothing of a repository and nothing of the machine's user is ever run or asked:
 * no hook, filter, monitor, helper, pager or prompt, no configuration but ours, nothing left running behind.
 */
const always: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.askPass': '',
  'core.protectHFS': 'true',
  'core.protectNTFS': 'true',
  'credential.helper': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'advice.detachedHead': 'false',
  'safe.directory': '*',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  // All that is fetched stays in packs: they are what is handed on.
  'fetch.unpackLimit': '1',
  'transfer.unpackLimit': '1',
  'init.defaultBranch': 'main',
}

/** The whole environment of a call: nothing is inherited but where programs are. */
export function gitEnvironment({ settings = {}, environment = {} }: Omit<GitCall, 'signal'>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/dev/null',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'file',
    ...settingsOf({ ...always, ...settings }),
    ...environment,
  }
}

/** Settings of git as variables: they stand in no file and in no list of processes. */
export function settingsOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(settings)
  return {
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(
      all.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
  }
}

/** Runs git to its end and gives what it printed; it is killed when the signal aborts. */
export async function runGit(words: readonly string[], call: GitCall): Promise<string> {
  call.signal.throwIfAborted()
  // In a group of its own: git calls others, which must end with it.
  const child = spawn('git', words, { env: gitEnvironment(call), detached: true, cwd: '/' })
  const stop = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // Gone by itself in the meantime.
    }
  }
  const abort = () => {
    // Asked first: it removes its locks then.
    stop('SIGTERM')
    setTimeout(stop, 3000, 'SIGKILL').unref()
  }
  call.signal.addEventListener('abort', abort, { once: true })
  const answer: Buffer[] = []
  let size = 0
  let complaint = ''
  child.stdout.on('data', (bytes: Buffer) => {
    if ((size += bytes.length) <= mostAnswer) answer.push(bytes)
    else stop('SIGKILL')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-mostWords)
  })
  // git may stop reading before we stop writing: its exit code says all there is to say about that.
  child.stdin.on('error', () => {})
  child.stdin.end(call.input ?? '')
  try {
    const [code, killed] = (await once(child, 'close')) as [number | null, string | null]
    call.signal.throwIfAborted()
    if (code !== 0) throw new GitFailed(commandOf(words), code ?? killed ?? '', complaint.trim())
    return Buffer.concat(answer).toString()
  } finally {
    call.signal.removeEventListener('abort', abort)
  }
}

/** The first word that is not an option of git itself. */
const commandOf = (words: readonly string[]) => words.find((word) => !word.startsWith('-')) ?? ''
