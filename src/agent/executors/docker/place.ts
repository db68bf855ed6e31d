import { rm } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { JobSpec } from '#contract/agent.ts'
import { pause } from '#kit/backoff.ts'
import { type Command, type Exit, type Place, Unready } from '#agent/executors/executor.ts'
import type { Channel } from './channel.ts'
import { containersWith, inside, inspect, labels, nameOf, removeContainer } from './containers.ts'
import { EngineAway, EngineRefusal } from './engine.ts'
import { runIn } from './exec.ts'
import { containerFiles } from './files.ts'
import { limitsOf } from './limits.ts'
import type { Dock } from './dock.ts'
import { makeContainers, reach } from './make-ready.ts'
import { outOfMemory, ranOutOfMemory } from './out-of-memory.ts'
import { stopOwnEngine } from './own-engine.ts'
import { giveEngine } from './remote-docker.ts'
import { followLog } from './service-log.ts'
import { containerTerminal } from './terminal.ts'
import { exitIn, readState, sharedFolder, writeCommand, writeState } from './spool.ts'

/** How long an engine that is started again may be away before its containers count as lost. */
const mostAwayMs = 120_000
/** How long a command that another process handed on may take to begin. */
const mostBeginMs = 3000

/** The containers of one job. Nothing is begun here: `makeReady` does. */
export function openDockerPlace(dock: Dock, folder: string, spec: JobSpec | undefined): Place {
  const { engine } = dock
  const job = basename(folder)
  const container = nameOf(job)
  const limits = spec && limitsOf(spec.resource_class, dock.limits)
  let { ready, engine: given } = readState(folder) ?? {}
  let channel: Channel | undefined
  const begun = new Map<string, Date>()
  /** Whether commands are made to end, and not only asked to. */
  let made = false

  async function makeReady(say: (text: string) => void, signal: AbortSignal): Promise<void> {
    try {
      if (ready) channel = await reach(dock, folder)
      else if (spec) ({ state: ready, channel } = await makeContainers(dock, folder, spec, say, signal))
    } catch (error) {
      if (error instanceof EngineRefusal) throw new Unready(`The docker engine refused: ${error.message}`, 'agent')
      throw error
    }
  }

  async function start(command: Command): Promise<void> {
    if (!channel?.open()) channel = await reach(dock, folder)
    if (!channel) throw new EngineAway('The container of the job is gone')
    begun.set(`${command.step} ${command.attempt}`, new Date())
    writeCommand(folder, command)
    channel.run(command.step, command.attempt, command.background ? 'background' : 'foreground')
  }

  async function wait(step: number, attempt: number, signal: AbortSignal): Promise<Exit> {
    const exit = await end(step, attempt, signal)
    if (exit.type !== 'exited' || exit.code === 0 || exit.reason !== undefined) return exit
    const since = begun.get(`${step} ${attempt}`) ?? hourAgo(exit.at)
    const starved = await ranOutOfMemory(engine, container, since, exit.code)
    return starved ? { ...exit, reason: outOfMemory(limits) } : exit
  }

  async function end(step: number, attempt: number, signal: AbortSignal): Promise<Exit> {
    const since = performance.now()
    let seen = performance.now()
    for (let round = 0; ; round++) {
      signal.throwIfAborted()
      const exit = exitIn(folder, step, attempt)
      if (exit.type === 'exited') return exit
      // Handed to nobody: the process that wrote it was killed before it could.
      const mine = begun.has(`${step} ${attempt}`)
      if (exit.type === 'never' && !mine && performance.now() - since > mostBeginMs) return exit
      if (channel?.open()) {
        await soonest(channel.ended(step, attempt), pause(exit.type === 'never' ? 500 : 5000, signal))
        continue
      }
      await pause(50, signal)
      if (round % 10 !== 0) continue
      const state = await lookAt(signal)
      if (state === 'running') seen = performance.now()
      else if (state !== 'away' || performance.now() - seen > mostAwayMs) return lastWord(step, attempt, state)
    }
  }

  async function lookAt(signal: AbortSignal): Promise<'running' | 'away' | { readonly reason: string }> {
    try {
      const found = await inspect(engine, container, signal)
      if (found?.State.Running) {
        channel = await reach(dock, folder)
        return 'running'
      }
      if (found?.State.OOMKilled) return { reason: outOfMemory(limits) }
      if (!found) return { reason: 'The container of the job was removed while it ran' }
      return { reason: `The container of the job has ended by itself with code ${found.State.ExitCode}` }
    } catch {
      signal.throwIfAborted()
      return 'away'
    }
  }

  /** Whoever is gone by now may have written its last word since we looked. */
  function lastWord(step: number, attempt: number, state: 'away' | { readonly reason: string }): Exit {
    const exit = exitIn(folder, step, attempt)
    if (exit.type === 'exited') return exit
    return { type: 'unknown', reason: state === 'away' ? 'The docker engine has been away for too long' : state.reason }
  }

  /** Whether a command that was begun has no exit code yet. */
  const isBusy = () =>
    readdirSync(folder).some((name) => {
      const [, step, attempt] = /^step-(\d+)\.exit-(\d+)$/.exec(name) ?? []
      return step !== undefined && exitIn(folder, Number(step), Number(attempt)).type === 'running'
    })

  async function stop(graceMs: number): Promise<void> {
    if (graceMs === 0) made = true
    try {
      if (graceMs > 0 && ready && isBusy()) {
        const end = performance.now() + graceMs
        await runIn(engine, container, { command: ['/bin/sh', '-c', 'kill -TERM -1'], user: '0' })
        // What is made to end meanwhile writes no exit code any more.
        while (performance.now() < end && !made && isBusy()) await pause(20)
      }
      await engine.ask('POST', `/containers/${container}/kill`)
    } catch {
      // Not running, which is what was wanted; or out of reach, and then it is swept up later.
    }
    channel?.close()
    channel = undefined
  }

  async function destroy(): Promise<void> {
    channel?.close()
    channel = undefined
    try {
      const found = await containersWith(engine, `${labels.job}=${job}`)
      await Promise.all(found.map(({ Id }) => removeContainer(engine, Id)))
    } catch {
      // The engine is away: the next start of the agent sweeps up what carries its mark.
    }
    await stopOwnEngine(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => {})
  }

  return {
    folder,
    shared: sharedFolder(folder),
    inside: inside.shared,
    tools: inside.tools,
    get home() {
      return ready?.home ?? '/'
    },
    get environment() {
      return {
        HOME: ready?.home ?? '/',
        PATH: `${inside.tools}:${ready?.path ?? '/usr/bin:/bin'}`,
        ...(given !== undefined && { DOCKER_HOST: given }),
      }
    },
    get bash() {
      return ready?.bash ?? false
    },
    files: containerFiles(engine, container),
    terminal(wish) {
      if (!ready) throw new Error('Cannot open a terminal yet: the container is not ready')
      return containerTerminal(engine, container, ready.bash, wish)
    },
    async followService(service, from, take, until) {
      const name = nameOf(job, service)
      const code = await followLog(engine, name, from, take, until)
      if (code === undefined) return undefined
      const starved = code !== 0 && (await ranOutOfMemory(engine, name, hourAgo(new Date()), code))
      return { code, ...(starved && { reason: outOfMemory(limits) }) }
    },
    async giveEngine(say, signal) {
      given = await giveEngine(dock, folder, say, signal)
      writeState(folder, { ...(ready && { ready }), engine: given })
    },
    makeReady,
    start,
    wait,
    stop,
    destroy,
  }
}

const hourAgo = (at: Date) => new Date(at.getTime() - 3_600_000)

const soonest = (...some: readonly Promise<unknown>[]): Promise<unknown> => Promise.race(some)
