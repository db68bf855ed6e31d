import { type ChildProcess, spawn } from 'node:child_process'
import { Refusal } from '#kit/refusal.ts'

/** git ran and said no. What it said is for the log: it may name paths of this machine. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
  readonly exitCode: number | null
  readonly stderr: string

  constructor(command: string, exitCode: number | null, stderr: string) {
    super(`Cannot run git ${command}: it ended with ${exitCode ?? 'a signal'}: ${stderr.trim().slice(0, 500)}`)
    this.exitCode = exitCode
    this.stderr = stderr
  }
}

/** How one call of git differs from every other. */
export interface GitCall {
  /** Settings of this call, over those of the repository. */
  readonly config?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
  readonly signal?: AbortSignal | undefined
  /** 30 seconds unless told. */
  readonly timeoutMs?: number
  /** 16 MB unless told: an answer that grows beyond it is refused, and git is stopped. */
  readonly maxBytes?: number
}

/**
 * What holds for every call, whatever a repository's own settings say: no hook runs, nobody is asked for a password,
 * nothing is fetched from where a redirect leads, nothing is left running behind.
 */
const always: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.askPass': '',
  'credential.helper': '',
  // The paths are ours, but the folder may belong to another user of this machine (a mounted volume).
  'safe.directory': '*',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'receive.autogc': 'false',
  'http.followRedirects': 'false',
  'submodule.recurse': 'false',
}

/** The whole environment of a call: nothing is inherited but where programs are found. */
export function gitEnvironment({ config = {}, environment = {} }: GitCall): Readonly<Record<string, string>> {
  const settings = Object.entries({ ...always, ...config })
  return {
    // git finds ssh by it; no setting of ours could know where they are.
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/dev/null',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'http:https:ssh',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...environment,
  }
}

/** Starts git in a process group of its own, which ends when the signal aborts: asked first, made to after ten seconds. */
export function spawnGit(args: readonly string[], call: GitCall, signal: AbortSignal): ChildProcess {
  signal.throwIfAborted()
  const child = spawn('git', args, { env: gitEnvironment(call), stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const kill = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // Gone by itself in the meantime.
    }
  }
  const stop = () => {
    kill('SIGTERM')
    // Time to remove its lock files: one that is left behind would block its ref for good.
    const force = setTimeout(kill, 10_000, 'SIGKILL')
    child.once('close', () => clearTimeout(force))
  }
  signal.addEventListener('abort', stop, { once: true })
  child.once('close', () => signal.removeEventListener('abort', stop))
  // git may stop reading before we stop writing: its exit code says all there is to say about that.
  child.stdin?.on('error', () => {})
  return child
}

/** Runs git to its end and gives what it printed. */
export async function runGit(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const { input = '', timeoutMs = 30_000, maxBytes = 16_000_000 } = call
  const overflow = new AbortController()
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([overflow.signal, deadline, ...(call.signal ? [call.signal] : [])])
  const child = spawnGit(args, call, signal)
  const exit = exitOf(child)
  child.stdin?.end(input)
  const [output, complaint, exitCode] = await Promise.all([
    collect(child.stdout, maxBytes, () =>
      overflow.abort(new Refusal('too-large', `Cannot read more than ${maxBytes} bytes from git ${commandOf(args)}`)),
    ),
    collect(child.stderr, 64_000, () => {}),
    exit,
  ])
  signal.throwIfAborted()
  if (exitCode !== 0) throw new GitFailure(commandOf(args), exitCode, complaint.toString())
  return output
}

/** Its exit code, once all it printed has been read; rejects if it could not be started at all. */
export const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })

/** The first word that is not an option of git itself. */
const commandOf = (args: readonly string[]) => args.find((word) => !word.startsWith('-')) ?? ''

/** All of a stream up to a number of bytes; more is thrown away, and told once. */
export async function collect(
  stream: AsyncIterable<Buffer> | null,
  most: number,
  tooMuch: () => void,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    if (size <= most && size + chunk.length > most) tooMuch()
    size += chunk.length
    if (size <= most) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
