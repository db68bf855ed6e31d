import { PassThrough } from 'node:stream'
import type { Screen, Terminal, TerminalWish } from '#agent/executors/terminal.ts'
import { shellCommand } from '#agent/executors/terminal-script.ts'
import { pause } from '#kit/backoff.ts'
import type { Engine } from './engine.ts'
import { codeOf, execIn } from './exec.ts'
import { readFrames } from './frames.ts'

/** A process that somebody talks to in a container, as its user; the engine makes the terminal. Whatever ends the container ends it. */
export async function containerTerminal(
  engine: Engine,
  container: string,
  bash: boolean,
  wish: TerminalWish,
): Promise<Terminal> {
  const { id, socket } = await execIn(engine, container, {
    // The directory may not be there yet, and the engine would refuse.
    command: [
      '/bin/sh',
      '-c',
      `cd "$1" 2>/dev/null; exec ${shellCommand(bash, wish.command, wish.screen !== undefined)}`,
      'terminal',
      wish.directory,
    ],
    environment: wish.environment,
    terminal: wish.screen !== undefined,
  })
  const resize = ({ rows, columns }: Screen) =>
    void engine.ask('POST', `/exec/${id}/resize?h=${Math.trunc(rows)}&w=${Math.trunc(columns)}`).catch(() => {})
  if (wish.screen) resize(wish.screen)
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const ended = new Promise<void>((resolve) => socket.once('end', resolve).once('close', resolve))
  socket.on('error', () => {})
  if (wish.screen) socket.pipe(output, { end: false })
  else {
    readFrames(socket, (from, bytes) => {
      if (!(from === 'stderr' ? errors : output).write(bytes)) socket.pause()
    })
    for (const stream of [output, errors]) stream.on('drain', () => socket.resume())
  }

  async function finish(): Promise<number> {
    await ended
    output.end()
    errors.end()
    const code = await codeOf(engine, id).catch(() => 255)
    socket.destroy()
    return code < 0 ? 255 : code
  }

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

  const hangUp = () => void end().catch(() => socket.destroy())
  return { input: socket, output, errors, exited: finish(), resize, hangUp }
}
