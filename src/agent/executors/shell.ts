import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pause } from '#kit/backoff.ts'
import type { Command, Executor, Exit, Place } from './executor.ts'
import { writeWhole } from '#agent/whole-file.ts'
import { hasMembers, isAlive, type Leader, signalGroup } from './processes.ts'
import { startSupervisor, type Supervisor } from './supervisor.ts'
import { exportsOf, quoted } from './words.ts'

/** How many places are kept ready at most, whatever the number of slots. */
const mostWarm = 16

/**
 * Runs jobs as plain processes of this machine, as the agent's own user, each in a session and a folder of its own.
 * It keeps jobs apart from each other by accident, not by force: whoever may run jobs may do what the agent's user may do.
 */
export function shellExecutor(folder: string, slots: number): Executor {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const warm: Place[] = []
  let closed = false

  function refill(): void {
    while (!closed && warm.length < Math.min(slots, mostWarm)) warm.push(makePlace(folder, refill))
  }

  return {
    name: 'shell',
    probe: async () => {
      refill()
      return undefined
    },
    prepare: async () => warm.pop() ?? makePlace(folder, refill),
    attach: async (path) => openPlace(path, leadersIn(path), undefined, refill),
    list: () => readdirSync(folder).map((name) => join(folder, name)),
    close: async () => {
      closed = true
      await Promise.all(warm.splice(0).map((place) => place.destroy()))
    },
  }
}

function makePlace(parent: string, afterwards: () => void): Place {
  const folder = join(parent, randomBytes(8).toString('hex'))
  mkdirSync(join(folder, 'home', 'project'), { recursive: true, mode: 0o700 })
  mkdirSync(join(folder, 'steps'), { mode: 0o700 })
  try {
    const supervisor = startSupervisor(folder)
    writeLeaders(folder, [supervisor.leader])
    return openPlace(folder, [supervisor.leader], supervisor, afterwards)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function openPlace(folder: string, known: readonly Leader[], first: Supervisor | undefined, afterwards: () => void): Place {
  const leaders = [...known]
  const mine = new Map<string, Supervisor>()
  let supervisor = first

  /** A supervisor that takes work: the first one, or another where the first went away with an earlier agent. */
  function current(): Supervisor {
    if (supervisor?.open()) return supervisor
    supervisor = startSupervisor(folder)
    leaders.push(supervisor.leader)
    writeLeaders(folder, leaders)
    return supervisor
  }

  async function begin(command: Command): Promise<void> {
    writeCommand(folder, command)
    const runner = current()
    mine.set(`${command.step} ${command.attempt}`, runner)
    runner.run(command.step, command.attempt, command.background ? 'background' : 'foreground')
  }

  async function wait(step: number, attempt: number, signal: AbortSignal): Promise<Exit> {
    const aborted = Promise.withResolvers<void>()
    const abort = () => aborted.resolve()
    signal.addEventListener('abort', abort, { once: true })
    try {
      if (signal.aborted) abort()
      await Promise.race([mine.get(`${step} ${attempt}`)?.ended(step, attempt), aborted.promise])
      for (;;) {
        signal.throwIfAborted()
        // Whether it lives is asked first: what it wrote before it went is then there to be read.
        const lives = leaders.some(isAlive)
        const exit = exitOf(folder, step, attempt)
        if (exit.type === 'exited' || !lives) return exit
        await pause(50, signal)
      }
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  async function stop(graceMs: number): Promise<void> {
    for (const leader of leaders) signalGroup(leader, 'SIGTERM')
    const end = Date.now() + graceMs
    while (Date.now() < end && leaders.some(hasMembers)) await pause(20)
    for (const leader of leaders) signalGroup(leader, 'SIGKILL')
  }

  async function destroy(): Promise<void> {
    for (const leader of leaders) signalGroup(leader, 'SIGKILL')
    // A process that is being killed may still write: the second try meets a quiet folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => {})
    afterwards()
  }

  return { folder, home: join(folder, 'home'), start: begin, wait, stop, destroy }
}

function writeCommand(folder: string, { step, attempt, script, shell, directory, environment }: Command): void {
  const place = join(folder, 'steps', String(step))
  mkdirSync(place, { recursive: true, mode: 0o700 })
  const file = join(place, 'script')
  writeFileSync(file, script, { mode: 0o700 })
  const go = `cd ${quoted(directory)} || exit 1\n${exportsOf(environment)}unset OLDPWD\nexec ${[...shell, file].map(quoted).join(' ')}\n`
  writeFileSync(join(place, `go-${attempt}`), go, { mode: 0o600 })
}

function exitOf(folder: string, step: number, attempt: number): Exit {
  const file = join(folder, 'steps', String(step), `exit-${attempt}`)
  try {
    const text = readFileSync(file, 'latin1')
    return text.endsWith('\n') ? { type: 'exited', code: Number(text), at: statSync(file).mtime } : { type: 'unknown' }
  } catch {
    return { type: 'never' }
  }
}

const leadersFile = (folder: string) => join(folder, 'supervisors.json')

function writeLeaders(folder: string, leaders: readonly Leader[]): void {
  writeWhole(leadersFile(folder), JSON.stringify(leaders))
}

function leadersIn(folder: string): readonly Leader[] {
  try {
    return JSON.parse(readFileSync(leadersFile(folder), 'utf8')) as readonly Leader[]
  } catch {
    // Half made: nothing had been started in it, or what was started goes away by itself at the end of its input.
    return []
  }
}
