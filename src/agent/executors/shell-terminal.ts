import { execFile } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { pause } from '#kit/backoff.ts'
import type { Command, Place } from './executor.ts'
import type { Screen, Terminal, TerminalWish } from './terminal.ts'
import { terminalScript } from './terminal-script.ts'

/** Commands of terminals have numbers far behind those of steps, and no two the same, also after the agent was started again. */
let last = 0
const nextNumber = (): number => (last = Math.max(last + 1, Date.now()))

const neverAborted = new AbortController().signal

/**
 * Begins a terminal as one more command of a place whose folder its commands see under the same name: in the session of the job,
 * so that whatever stops the job stops it too. What is said goes through three pipes with names in that folder.
 */
export async function openTerminal(
  place: Pick<Place, 'folder' | 'bash' | 'start' | 'wait'>,
  wish: TerminalWish,
): Promise<Terminal> {
  const step = nextNumber()
  const base = join(place.folder, `terminal-${step}`)
  const names = ['in', 'out', 'err'].map((end) => `${base}.${end}`)
  await promisify(execFile)('mkfifo', ['-m', '600', ...names])
  const input = writerOf(`${base}.in`)
  const output = readerOf(`${base}.out`)
  const errors = readerOf(`${base}.err`)

  const run = (number: number, script: string): Promise<void> => place.start({ ...command(wish), step: number, script })
  const tell = (script: string) => void run(nextNumber(), script).catch(() => {})

  async function finish(): Promise<number> {
    const exit = await place.wait(step, 0, neverAborted)
    // The end comes when everything was read, unless somebody in the background still holds the pipe.
    output.letGo()
    errors.letGo()
    await orSoon(Promise.all([output.ended, errors.ended]), 2000)
    for (const stream of [input, output.stream, errors.stream]) stream.destroy()
    for (const name of [...names, `${base}.tty`, `${base}.pid`]) rmSync(name, { force: true })
    return exit.type === 'exited' ? exit.code : 255
  }

  await run(step, terminalScript(base, place.bash, wish))
  const exited = finish()
  const begun = await orSoon(Promise.race([output.firstByte, exited.then(() => false)]), 10_000)
  if (begun !== true) throw new Error('Cannot open a terminal: it does not begin')
  return {
    input,
    output: output.stream,
    errors: errors.stream,
    exited,
    resize: ({ rows, columns }: Screen) =>
      tell(`t=$(cat '${base}.tty') && stty -F "$t" rows ${Math.trunc(rows)} cols ${Math.trunc(columns)}`),
    hangUp: () => tell(`p=$(cat '${base}.pid') && kill -HUP "$p" && sleep 1 && kill -KILL "$p"`),
  }
}

/** Waits for something, but not for long; nothing where it took longer. */
async function orSoon<T>(wanted: Promise<T>, ms: number): Promise<T | undefined> {
  const done = new AbortController()
  try {
    return await Promise.race([wanted, pause(ms, done.signal).then(() => undefined)])
  } finally {
    done.abort()
  }
}

const command = ({ directory, environment }: TerminalWish): Omit<Command, 'step' | 'script'> => ({
  attempt: 0,
  shell: ['/bin/sh'],
  directory,
  environment,
  background: true,
})

/** Open for both, so that it waits for no reader; nobody reads here. */
const writerOf = (path: string) =>
  new Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), readable: false, writable: true }).on(
    'error',
    () => {},
  )

/** A pipe that does not end before it is let go of, however late somebody begins to write. */
function readerOf(path: string) {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const keeper = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  const stream: Readable = new Socket({ fd, readable: true, writable: false }).on('error', () => {})
  return {
    stream,
    ended: new Promise<void>((resolve) => stream.once('close', resolve).once('end', resolve)),
    /** The sign that the other side has opened all three: it is no output. */
    firstByte: new Promise<boolean>((resolve) =>
      stream.once('readable', () => resolve((stream.read(1) as Buffer | null) !== null)),
    ),
    letGo: () => closeSync(keeper),
  }
}
