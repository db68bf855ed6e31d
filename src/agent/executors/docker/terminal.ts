import { PassThrough } from 'node:stream'
import type { Terminal, TerminalWish } from '#agent/executors/terminal.ts'
import { pause } from '#kit/backoff.ts'
import type { Engine } from './engine.ts'
import { codeOf, execIn } from './exec.ts'
import { readFrames } from './frames.ts'

/** Goes where it is told, if that is there yet, and becomes what follows. */
const enter = 'cd "$1" 2>/dev/null; shift; exec "$@"'

/** Begins a process in a container that somebody talks to. It ends with the container. */
export async function openTerminal(
  engine: Engine,
  container: string,
  bash: boolean,
  { command, directory, environment, screen }: TerminalWish,
): Promise<Terminal> {
  const shell = bash ? '/bin/bash' : '/bin/sh'
  const words = command === undefined ? [shell, '-i'] : [shell, '-c', command]
  const { id, socket } = await execIn(engine, container, {
    command: [
      '/bin/sh',
      '-c',
      enter,
      'terminal',
      directory,
      ...(screen ? words : words.filter((word) => word !== '-i')),
    ],
    environment: { ...environment, ...(screen && { TERM: environment['TERM'] ?? 'xterm' }) },
    terminal: screen !== undefined,
  })
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const resume = () => socket.resume()
  const take = (to: PassThrough, bytes: Buffer) => {
    if (!to.write(bytes)) socket.pause()
  }
  for (const stream of [output, errors]) stream.on('drain', resume).on('error', () => {})
  if (screen) socket.on('data', (bytes: Buffer) => take(output, bytes))
  else readFrames(socket, (from, bytes) => take(from === 'stdout' ? output : errors, bytes))

  const { promise: closed, resolve } = Promise.withResolvers<void>()
  socket
    .on('error', () => resolve())
    .on('end', () => resolve())
    .on('close', () => resolve())
  const exited = closed.then(async () => {
    output.end()
    errors.end()
    socket.destroy()
    return codeOf(engine, id).catch(() => 255)
  })
  const resize: Terminal['resize'] = ({ rows, columns }) => {
    const query = { h: String(Math.trunc(rows)), w: String(Math.trunc(columns)) }
    engine.ask('POST', `/exec/${id}/resize`, { query }).catch(() => {})
  }
  if (screen) resize(screen)

  /** An engine lets a process go on when nobody listens to it: it is told by its number on this machine. */
  async function end(): Promise<void> {
    for (const signal of ['SIGHUP', 'SIGKILL'] as const) {
      const { Pid, Running } = await engine.ask<{ Pid: number; Running: boolean }>('GET', `/exec/${id}/json`)
      if (!Running || Pid <= 0) break
      process.kill(Pid, signal)
      await pause(1000)
    }
    socket.destroy()
  }

  return {
    input: socket,
    output,
    errors,
    exited,
    resize,
    hangUp: () => void end().catch(() => socket.destroy()),
  }
}
