import type { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Engine, EngineAway } from './engine.ts'
import { readFrames } from './frames.ts'

/** A command beside those of the supervisor. It costs the engine some 40 ms, so steps are not run like this. */
export interface Exec {
  readonly command: readonly string[]
  /** As the container's own user unless given. */
  readonly user?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly directory?: string
  readonly terminal?: boolean
  readonly signal?: AbortSignal
}

/** Starts a command in a container, its input and output on one connection. */
export async function execIn(engine: Engine, container: string, exec: Exec): Promise<{ id: string; socket: Duplex }> {
  const { signal } = exec
  const { Id: id } = await engine.ask<{ Id: string }>('POST', `/containers/${container}/exec`, {
    signal,
    body: {
      Cmd: exec.command,
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: exec.terminal === true,
      ...(exec.user !== undefined && { User: exec.user }),
      ...(exec.directory !== undefined && { WorkingDir: exec.directory }),
      ...(exec.environment && { Env: Object.entries(exec.environment).map(([name, value]) => `${name}=${value}`) }),
    },
  })
  const body = { Detach: false, Tty: exec.terminal === true }
  return { id, socket: await engine.connect(`/exec/${id}/start`, { body, signal }) }
}

/** The exit code of a command whose connection has ended. */
export async function codeOf(engine: Engine, id: string): Promise<number> {
  const { ExitCode } = await engine.ask<{ ExitCode: number | null }>('GET', `/exec/${id}/json`)
  return ExitCode ?? -1
}

/** What is kept of what a command complains. */
const mostWords = 2000

/** How a command ended. */
export interface Ran {
  readonly code: number
  readonly errors: string
}

/** What goes into a command and where its output goes. */
export interface Pipes {
  readonly input?: Readable
  readonly take?: (bytes: Buffer) => void
  /** Instead of `take`; is not ended, and the command is cut off when it is closed. */
  readonly output?: Writable
}

/** Runs a command to its end. `fed` says how its input fared. */
export async function runIn(
  engine: Engine,
  container: string,
  exec: Exec,
  { input, take, output }: Pipes = {},
): Promise<Ran & { readonly fed: PromiseSettledResult<void> }> {
  const { id, socket } = await execIn(engine, container, exec)
  let errors = ''
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  readFrames(socket, (from, bytes) => {
    if (from === 'stderr') errors = errors.length < mostWords ? errors + bytes.toString('utf8') : errors
    else if (output && !output.write(bytes)) socket.pause()
    else take?.(bytes)
  })
  const resume = () => socket.resume()
  const cut = () => socket.destroy()
  output?.on('drain', resume).on('close', cut)
  socket.on('end', resolve)
  socket.on('close', resolve)
  socket.on('error', (error) => reject(new EngineAway(`A command in a container was cut off: ${error.message}`)))
  const feeding = input ? pipeline(input, socket, { end: true }) : Promise.resolve(void socket.end())
  try {
    const [[fed]] = await Promise.all([Promise.allSettled([feeding]), ended])
    return { code: await codeOf(engine, id), errors: errors.slice(0, mostWords).trim(), fed }
  } finally {
    output?.off('drain', resume).off('close', cut)
    socket.destroy()
  }
}
