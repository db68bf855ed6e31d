import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { backoff, pause } from '#kit/backoff.ts'
import { newAgent } from '#server/app/agents.ts'
import { agentOfToken } from '#server/app/agent-list.ts'
import type { World } from '#server/app/world.ts'
import { ownFile } from './keys.ts'
import { embeddedManner } from './manner.mjs'

interface Options {
  readonly folder: string
  readonly server: string
  readonly slots: number
  /** How it runs jobs, as flags of `roundhouse agent`. */
  readonly options: readonly string[]
  readonly ssh: { readonly listen: string; readonly host: string | undefined }
}

/** The agent that comes with the server: the same program as any other agent, over loopback, started again when it dies. */
export async function embeddedAgent(world: World, { folder, server, slots, options, ssh }: Options) {
  const tokenFile = join(folder, 'agent-token')
  const id = await ensureToken(world, tokenFile)
  // The same file that was started: its sources, or what was put together from them.
  const entry = process.argv[1] ?? ''
  const args = [
    entry,
    'agent',
    '--server',
    server,
    '--token-file',
    tokenFile,
    '--folder',
    join(folder, 'agent'),
    '--name',
    'built-in',
    '--slots',
    String(slots),
    '--ssh-listen',
    ssh.listen,
    ...(ssh.host === undefined ? [] : ['--ssh-host', ssh.host]),
    '--with-parent',
    // Whoever only tries it out has no engine, and should see something run.
    '--without-engine',
    'run',
    '--hide',
    resolve(folder),
    ...options,
  ]
  let stopping = false
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()

  function start(attempt: number): void {
    const started = Date.now()
    const made = spawn(process.execPath, [...embeddedManner.flags, ...args], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: agentEnvironment(),
    })
    child = made
    ended = new Promise((resolve) => made.once('exit', () => resolve()))
    void ended.then(async () => {
      if (stopping) return
      const failures = Date.now() - started > 10_000 ? 0 : attempt + 1
      world.log.warn('The built-in agent ended and is started again', { failures })
      await pause(backoff(failures, 200, 10_000))
      if (!stopping) start(failures)
    })
  }
  start(0)

  return {
    id,
    /** Where its jobs lie. */
    jobs: join(folder, 'agent', 'jobs'),
    /** Asks it to take no more jobs, and waits for those it has; what is still running then goes on, and is found again at the next start. */
    async drain(ms: number): Promise<void> {
      stopping = true
      child?.kill('SIGTERM')
      await Promise.race([ended, pause(ms)])
    },
    async [Symbol.asyncDispose]() {
      stopping = true
      child?.kill('SIGKILL')
      await ended
    },
  }
}

/** Makes sure that the file holds a token of ours, and says whose. One of another database opens nothing here: then there is a new one. */
export async function ensureToken(world: World, path: string): Promise<string> {
  const known = await agentOfToken(world, ownFile(path, () => 'none').content)
  if (known !== undefined) return known
  const { agent, token } = await newAgent(world, 'built-in')
  rmSync(path, { force: true })
  ownFile(path, () => token)
  return agent
}

/** What the agent's own process needs of our environment; none of our settings. */
function agentEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ROUNDHOUSE_'))
  return { ...Object.fromEntries(inherited), ...embeddedManner.environment }
}
