import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '#test/program.ts'

const keepCompiled = join(import.meta.dirname, 'keep-compiled.mjs')
/** Starting costs half as much where it was compiled before, and these tests start nothing but processes. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** How a process came to its end. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** One run of the program, in a process group of its own. */
export interface Running {
  readonly pid: number
  readonly ended: Promise<Ended>
  /** Everything that it and its children have written. */
  output(): string
  send(signal: NodeJS.Signals): void
  /** Ends it as a power cut would: this process alone. */
  kill(): Promise<void>
  /** Ends it and everything in its group. */
  killGroup(): Promise<void>
}

/** Starts `roundhouse` with these arguments. What it writes goes to a file, which also outlives it. */
export function run(
  args: readonly string[],
  options: { readonly cwd: string; readonly environment: Readonly<Record<string, string>>; readonly output: string },
): Running {
  const { cwd, environment, output } = options
  const file = openSync(output, 'a')
  const plain = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(ROUNDHOUSE_|NODE_|GIT_)/.test(name)),
  )
  const child = spawn(process.execPath, ['--import', keepCompiled, program, ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', file, file],
    env: { ...plain, NODE_COMPILE_CACHE: compiled, ...environment },
  })
  closeSync(file)
  const { pid } = child
  if (pid === undefined) throw new Error(`Cannot start roundhouse ${args.join(' ')}`)
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as Ended)
  return {
    pid,
    ended,
    output: () => readFileSync(output, 'utf8'),
    send: (signal) => void child.kill(signal),
    async kill() {
      if (isRunning(child)) child.kill('SIGKILL')
      await ended
    },
    async killGroup() {
      try {
        process.kill(-pid, 'SIGKILL')
      } catch {
        // Nobody is left in it, which is what was wanted.
      }
      await ended
    },
  }
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null
