import { readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { readFrames } from './frames.ts'

/** What a supervisor says of where it is. */
export interface Inside {
  readonly bash: boolean
  readonly home: string
  readonly path: string
}

/** The line to a supervisor in a container. It may break at any time; the files tell the rest. */
export interface Channel {
  open(): boolean
  run(step: number, attempt: number, mode: 'foreground' | 'background'): void
  /** Resolves with the exit code when the command has ended, or with nothing when the line is broken. */
  ended(step: number, attempt: number): Promise<number | undefined>
  /** Resolves with its first words, or with nothing when the line broke before. */
  readonly inside: Promise<Inside | undefined>
  /** What it wrote instead of words that we know, for an error. */
  complaint(): string
  close(): void
}

/** Lines longer than this are not ours. */
const mostLine = 32_768

/** What a container runs to be a place: needs nothing but a shell. */
export const supervisorCommand = (shared: string, steps: string): string[] => [
  '/bin/sh',
  '-c',
  readFileSync(new URL('./container-supervisor.sh', import.meta.url), 'utf8'),
  'roundhouse-job',
  shared,
  steps,
]

/** Speaks over a connection to a supervisor. Commands can write there too: what is not understood is passed over. */
export function openChannel(socket: Duplex): Channel {
  const { promise: inside, resolve: arrive } = Promise.withResolvers<Inside | undefined>()
  const asked = new Set<string>()
  const waiting = new Map<string, ((code?: number) => void)[]>()
  const told = new Map<string, number>()
  const greeting: string[] = []
  let gone = false
  let rest = ''
  let complaint = ''

  function take(line: string): void {
    if (greeting.length > 0 || line === 'ready') {
      greeting.push(line)
      if (greeting.length < 4) return
      const [, bash, home = '/', path = ''] = greeting.splice(0).map((word) => Buffer.from(word, 'latin1').toString())
      return arrive({ bash: bash === 'yes', home, path })
    }
    const [, key, code] = /^ended (\d+ \d+) (\d{1,3})$/.exec(line) ?? []
    // Only of what was asked for: commands could name numbers without end.
    if (key === undefined || !asked.has(key)) return
    told.set(key, Number(code))
    for (const resolve of waiting.get(key) ?? []) resolve(Number(code))
    waiting.delete(key)
  }

  function end(): void {
    gone = true
    arrive(undefined)
    for (const resolve of [...waiting.values()].flat()) resolve()
    waiting.clear()
  }

  readFrames(socket, (from, bytes) => {
    if (from === 'stderr') {
      complaint = (complaint + bytes.toString('latin1')).slice(0, 1000)
      return
    }
    const lines = (rest + bytes.toString('latin1')).split('\n')
    rest = (lines.pop() ?? '').slice(0, mostLine)
    for (const line of lines) take(line)
  })
  socket.on('error', end)
  socket.on('close', end)
  socket.on('end', end)

  return {
    inside,
    open: () => !gone,
    run: (step, attempt, mode) => {
      asked.add(`${step} ${attempt}`)
      socket.write(`${step} ${attempt} ${mode}\n`)
    },
    ended: (step, attempt) => {
      const key = `${step} ${attempt}`
      if (gone || told.has(key)) return Promise.resolve(told.get(key))
      asked.add(key)
      return new Promise((resolve) => waiting.set(key, [...(waiting.get(key) ?? []), resolve]))
    },
    complaint: () => complaint.trim(),
    close: () => socket.destroy(),
  }
}
