import { once } from 'node:events'
import { pause } from '#kit/backoff.ts'
import { inspect } from './containers.ts'
import { type Engine, EngineRefusal } from './engine.ts'
import { readFrames } from './frames.ts'

/** The last lines that a container has printed; nothing where the engine keeps none. */
export async function lastWords(engine: Engine, name: string, signal: AbortSignal): Promise<string> {
  try {
    const query = { stdout: '1', stderr: '1', tail: '20' }
    const log = await engine.read('GET', `/containers/${name}/logs`, { query, signal, timeoutMs: 10_000 })
    const lines: Buffer[] = []
    readFrames(log, (_, bytes) => void lines.push(bytes))
    await once(log, 'end')
    return Buffer.concat(lines).toString('utf8').replace(/^/gm, '  ').trimEnd() + '\n'
  } catch (error) {
    if (error instanceof EngineRefusal) return ''
    throw error
  }
}

/** How often an engine that went away is asked again. */
const againMs = 1000

/**
 * Hands on what a container prints from an instant on, until it ends or the signal aborts; gives its exit code where it has ended.
 * An engine that goes away is waited for: what becomes of the job is told elsewhere.
 */
export async function followLog(
  engine: Engine,
  name: string,
  since: number,
  take: (bytes: Buffer) => void,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (let from = since; !signal.aborted; from = Date.now()) {
    try {
      await followOnce(engine, name, from, take, signal)
      const found = await inspect(engine, name, signal)
      if (!found?.State.Running) return found?.State.ExitCode
    } catch (error) {
      if (error instanceof EngineRefusal) return undefined
    }
    await pause(againMs, signal)
  }
  return undefined
}

async function followOnce(
  engine: Engine,
  name: string,
  from: number,
  take: (bytes: Buffer) => void,
  signal: AbortSignal,
): Promise<void> {
  const query = { stdout: '1', stderr: '1', follow: '1', since: (from / 1000).toFixed(3) }
  // A service may be silent for as long as it likes.
  const log = await engine.read('GET', `/containers/${name}/logs`, { query, signal, timeoutMs: 0 })
  try {
    readFrames(log, (_, bytes) => take(bytes))
    await once(log, 'end', { signal })
  } finally {
    log.destroy()
  }
}
