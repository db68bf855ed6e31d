import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pause } from '#kit/backoff.ts'
import { outFile, shellEnvFile } from '#agent/job-folder.ts'
import { exitOf, writeCommand } from './command-files.ts'
import { type Command, type Executor, type Place, Unready } from './executor.ts'
import { shellFiles } from './shell-files.ts'

/** How a command of a scenario ends. */
export interface Scripted {
  readonly output?: string
  readonly code?: number
  /** How long it takes; until it is stopped, if it is to be. */
  readonly ms?: number
}

/** Runs nothing: what each command prints and how it ends is as scripted. For scenarios that are about everything else. */
export function dummyExecutor(folder: string, script: (command: Command) => Scripted): Executor {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const open = (path: string) => dummyPlace(path, script)
  return {
    probe: async () => undefined,
    async prepare() {
      const path = join(folder, randomBytes(8).toString('hex'))
      mkdirSync(join(path, 'home', 'project'), { recursive: true, mode: 0o700 })
      writeFileSync(shellEnvFile(path), '')
      return open(path)
    },
    attach: async (path) => open(path),
    list: () => readdirSync(folder).map((name) => join(folder, name)),
    close: async () => {},
  }
}

function dummyPlace(folder: string, script: (command: Command) => Scripted): Place {
  const over = new AbortController()
  const running = new Set<string>()
  const home = join(folder, 'home')

  async function play(command: Command, { output = '', code = 0, ms = 0 }: Scripted): Promise<void> {
    const exit = join(folder, `step-${command.step}.exit-${command.attempt}`)
    appendFileSync(outFile(folder, command.step), output, { mode: 0o600 })
    writeFileSync(exit, '', { mode: 0o600 })
    if (ms > 0) await pause(ms, over.signal)
    if (!over.signal.aborted) writeFileSync(exit, `${code}\n`)
    running.delete(exit)
  }

  return {
    folder,
    shared: folder,
    inside: folder,
    tools: folder,
    home,
    environment: { HOME: home },
    bash: false,
    files: shellFiles,
    makeReady: async (say) => say('Nothing is run: this agent only plays\n'),
    giveEngine: async () => {
      throw new Unready('Cannot set up a docker engine: nothing is run here', 'job')
    },
    async start(command) {
      writeCommand(folder, command)
      running.add(join(folder, `step-${command.step}.exit-${command.attempt}`))
      void play(command, script(command)).catch(() => {})
    },
    async wait(step, attempt, signal) {
      for (;;) {
        signal.throwIfAborted()
        const exit = exitOf(folder, step, attempt)
        if (exit.type === 'exited' || !running.has(join(folder, `step-${step}.exit-${attempt}`))) return exit
        await pause(2, signal)
      }
    },
    async stop() {
      over.abort()
    },
    async destroy() {
      over.abort()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
