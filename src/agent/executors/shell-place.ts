import { existsSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { plainEnvironment } from '#agent/environment.ts'
import { pause } from '#kit/backoff.ts'
import type { Cage } from './cage.ts'
import { exitOf, isClosed, writeCommand, writeLeaders } from './command-files.ts'
import { type Command, type Exit, type Place, Unready } from './executor.ts'
import { hasMembers, isAlive, isDeserted, killStrays, lastPid, type Leader, signalGroup } from './processes.ts'
import { cagedFiles, shellFiles } from './shell-files.ts'
import { openTerminal } from './shell-terminal.ts'
import { startSupervisor, type Supervisor } from './supervisor.ts'

/** What jobs find on this machine. */
export interface Machine {
  /** Where programs are: the agent's own, and the others. */
  readonly tools: string
  readonly path: string
  /** What they are locked in with. */
  readonly cage?: Cage | undefined
  /** What their commands know beside their home and where programs are. */
  readonly environment?: Readonly<Record<string, string>>
}

const hasBash = existsSync('/bin/bash')

/**
 * A folder with the processes of one job. `recycle` gets the supervisor of a destroyed place if nothing of the job is left
 * in its session, and nothing if it had to be killed.
 */
export function openPlace(
  folder: string,
  known: readonly Leader[],
  first: Supervisor | undefined,
  recycle: (supervisor?: Supervisor) => void,
  { tools, path, cage, environment = {} }: Machine,
): Place {
  const leaders = [...known]
  const mine = new Map<string, Supervisor>()
  let supervisor = first
  let mark: number | undefined
  let destroyed = false

  /** A supervisor that takes work: the first one, or another where the first went away with an earlier agent. */
  function current(): Supervisor {
    if (supervisor?.open()) return supervisor
    supervisor = startSupervisor(folder, cage)
    leaders.push(supervisor.leader)
    writeLeaders(folder, leaders)
    return supervisor
  }

  async function start(command: Command): Promise<void> {
    mark ??= lastPid()
    writeCommand(folder, command)
    const runner = current()
    mine.set(`${command.step} ${command.attempt}`, runner)
    runner.run(command.step, command.attempt, command.background ? 'background' : 'foreground')
  }

  async function wait(step: number, attempt: number, signal: AbortSignal): Promise<Exit> {
    const aborted = Promise.withResolvers<undefined>()
    const abort = () => aborted.resolve(undefined)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    try {
      const code = await Promise.race([mine.get(`${step} ${attempt}`)?.ended(step, attempt), aborted.promise])
      if (code !== undefined) return { type: 'exited', code, at: new Date() }
      for (;;) {
        signal.throwIfAborted()
        const exit = exitOf(folder, step, attempt)
        if (exit.type === 'exited') return exit
        // One that waits for a step in the background lives on, but begins nothing that an agent wrote and did not live to hand over.
        const mayTell = (leader: Leader) => isAlive(leader) && !(exit.type === 'never' && isClosed(folder, leader))
        // Whoever is gone by now may have written its last word since we looked.
        if (!leaders.some(mayTell)) return exitOf(folder, step, attempt)
        await pause(50, signal)
      }
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** Whether the job has left nothing behind, so that its supervisor can serve another. */
  const isReusable = () =>
    // What was locked in with one job would not see the folder of another.
    cage === undefined &&
    leaders.length === 1 &&
    supervisor?.open() === true &&
    isDeserted(supervisor.leader, mark, folder)

  async function stop(graceMs: number): Promise<void> {
    if (isReusable()) return
    for (const leader of leaders) signalGroup(leader, 'SIGTERM')
    const end = performance.now() + graceMs
    while (performance.now() < end && leaders.some(hasMembers)) await pause(20)
    for (const leader of leaders) signalGroup(leader, 'SIGKILL')
    if (mark !== undefined || first === undefined) killStrays(folder)
    // A killed supervisor is known to be gone only a moment later: nobody may give it work until then.
    supervisor = undefined
  }

  async function destroy(): Promise<void> {
    if (!destroyed && isReusable()) recycle(supervisor)
    else {
      if (!destroyed) for (const leader of leaders) signalGroup(leader, 'SIGKILL')
      setImmediate(recycle)
    }
    destroyed = true
    supervisor = undefined
    await remove(folder)
  }

  const home = join(folder, 'home')
  return {
    folder,
    shared: folder,
    inside: folder,
    tools,
    home,
    environment: { ...plainEnvironment(home, `${tools}:${path}`), ...environment },
    bash: hasBash,
    makeReady: async (say) => say('Running on the machine of the agent\n'),
    files: cage ? cagedFiles(cage(folder), folder) : shellFiles,
    giveEngine: async () => {
      throw new Unready('Cannot set up a docker engine: the job does not run in a container', 'job')
    },
    terminal: (wish) => openTerminal({ folder, bash: hasBash, start, wait }, wish),
    start,
    wait,
    stop,
    destroy,
  }
}

/** A job that used no files is removed by one call; anything else may take long and must not hold up the other jobs. */
async function remove(folder: string): Promise<void> {
  try {
    if (readdirSync(join(folder, 'home')).length === 1 && readdirSync(join(folder, 'home', 'project')).length === 0) {
      return rmSync(folder, { recursive: true, force: true })
    }
  } catch {
    // Not as it was made: removed the long way.
  }
  // A process that is being killed may still write: the second try meets a quiet folder.
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => {})
}
