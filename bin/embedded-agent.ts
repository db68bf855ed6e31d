import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { backoff, pause } from '#kit/backoff.ts'
import { newAgent } from '#server/app/agents.ts'
import { hasAgentToken } from '#server/app/agent-list.ts'
import type { World } from '#server/app/world.ts'
import { ownFile } from './keys.ts'

interface Options {
  readonly folder: string
  readonly server: string
  readonly slots: number
}

/** The agent that comes with the server: the same program as any other agent, over loopback, started again when it dies. */
export async function embeddedAgent(world: World, { folder, server, slots }: Options) {
  const tokenFile = join(folder, 'agent-token')
  await ensureToken(world, tokenFile)
  // The same file that was started: its sources, or what was put together from them.
  const entry = process.argv[1] ?? ''
  const args = [entry, 'agent', '--server', server, '--token-file', tokenFile, '--folder', join(folder, 'agent'), '--name', 'built-in', '--slots', String(slots)]
  let stopping = false
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()

  function start(attempt: number): void {
    const started = Date.now()
    // Small on purpose: the larger a process is, the longer its forks take.
    const made = spawn(process.execPath, ['--max-old-space-size=128', ...args], { stdio: ['ignore', 'inherit', 'inherit'], env: agentEnvironment() })
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

/** A token file of another database opens nothing here: then there is a new one. */
async function ensureToken(world: World, path: string): Promise<void> {
  const made = await newTokenIfNeeded(world, path)
  if (made !== undefined) {
    rmSync(path, { force: true })
    ownFile(path, () => made)
  }
}

async function newTokenIfNeeded(world: World, path: string): Promise<string | undefined> {
  const { content } = ownFile(path, () => 'none')
  return (await hasAgentToken(world, content)) ? undefined : (await newAgent(world, 'built-in')).token
}

/** What the agent's own process needs of our environment; none of our settings. */
function agentEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ROUNDHOUSE_')))
}
