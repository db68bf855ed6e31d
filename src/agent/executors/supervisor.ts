import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import type { Cage } from './cage.ts'
import { type Leader, startOf } from './processes.ts'

/** A shell that waits for the steps of one job, started ahead: a step then costs one fork of a small process, not of this one. */
export interface Supervisor {
  readonly leader: Leader
  /** Whether it can still be given work. */
  open(): boolean
  /** Moves on to the folder of another job: nothing of the earlier one may run any more. */
  enter(folder: string): void
  run(step: number, attempt: number, mode: 'foreground' | 'background'): void
  /** Resolves with the exit code when the command has ended, or with nothing when the supervisor is gone: the files tell more. */
  ended(step: number, attempt: number): Promise<number | undefined>
}

const script = readFileSync(new URL('./supervisor.sh', import.meta.url), 'utf8')

/** Starts a supervisor in the folder of a job, with a session and a process group of its own and an empty environment. */
export function startSupervisor(folder: string, cage?: Cage): Supervisor {
  const name = randomBytes(8).toString('hex')
  const [program, ...words] = [...(cage?.(folder) ?? []), '/bin/sh', '-c', script, 'roundhouse-job', name]
  const child = spawn(program, words, {
    cwd: folder,
    detached: true,
    // Where bubblewrap is; a step gets its own.
    env: cage ? { PATH: process.env['PATH'] ?? '' } : {},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const { pid } = child
  if (pid === undefined) {
    child.on('error', () => {})
    throw new Error(`Cannot start a supervisor in ${folder}: /bin/sh did not start`)
  }
  const waiting = new Map<string, (code?: number) => void>()
  const told = new Map<string, number>()
  let gone = false

  lines(child, (line) => {
    const blank = line.lastIndexOf(' ')
    const [key, code] = [line.slice(0, blank), Number(line.slice(blank))]
    told.set(key, code)
    waiting.get(key)?.(code)
    waiting.delete(key)
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.on('exit', () => {
    gone = true
    for (const resolve of waiting.values()) resolve()
  })

  return {
    leader: { pid, started: startOf(pid) ?? '', name },
    open: () => !gone,
    enter: (next) => {
      told.clear()
      child.stdin?.write(`enter - ${next}\n`)
    },
    run: (step, attempt, mode) => void child.stdin?.write(`${step} ${attempt} ${mode}\n`),
    ended: (step, attempt) => {
      const key = `${step} ${attempt}`
      if (gone || told.has(key)) return Promise.resolve(told.get(key))
      return new Promise((resolve) => waiting.set(key, resolve))
    },
  }
}

function lines(child: ChildProcess, each: (line: string) => void): void {
  let rest = ''
  child.stdout?.setEncoding('latin1')
  child.stdout?.on('error', () => {})
  child.stdout?.on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) each(line)
  })
}
