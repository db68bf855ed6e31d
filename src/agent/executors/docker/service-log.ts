import { once } from 'node:events'
import type { ServiceMark } from '#agent/executors/executor.ts'
import { pause } from '#kit/backoff.ts'
import { type Inspected, inspect } from './containers.ts'
import { type Engine, EngineRefusal } from './engine.ts'
import { readFrames } from './frames.ts'
import { lineReader } from './service-lines.ts'

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
/** How long the last look at a service may take when the job is over. */
const lastLookMs = 5000

/**
 * Hands on what a container prints, from the beginning or from behind a mark on, until it ends, the job is over, or the signal aborts;
 * gives its exit code where it has ended. What it had printed when the job was over is handed on too. An engine that goes away is waited
 * for, and asked for what comes behind the last line: what becomes of the job is told elsewhere.
 */
export async function followLog(
  engine: Engine,
  name: string,
  from: ServiceMark | undefined,
  take: (bytes: Buffer, mark: ServiceMark) => void,
  { signal, over }: { readonly signal: AbortSignal; readonly over: AbortSignal },
): Promise<number | undefined> {
  const enough = AbortSignal.any([signal, over])
  let mark = from
  const taking = (bytes: Buffer, behind: ServiceMark) => {
    mark = behind
    take(bytes, behind)
  }
  while (!enough.aborted) {
    try {
      await readLog(engine, name, mark, taking, 'following', enough)
      const found = await inspect(engine, name, enough)
      if (!found?.State.Running) return endOf(found)
    } catch (error) {
      if (error instanceof EngineRefusal) return undefined
    }
    await pause(againMs, enough)
  }
  if (signal.aborted) return undefined
  const last = AbortSignal.any([signal, AbortSignal.timeout(lastLookMs)])
  try {
    await readLog(engine, name, mark, taking, 'as it is', last)
    return endOf(await inspect(engine, name, last))
  } catch {
    return undefined
  }
}

const endOf = (found: Inspected | undefined): number | undefined =>
  found && !found.State.Running ? found.State.ExitCode : undefined

async function readLog(
  engine: Engine,
  name: string,
  from: ServiceMark | undefined,
  take: (bytes: Buffer, mark: ServiceMark) => void,
  how: 'following' | 'as it is',
  signal: AbortSignal,
): Promise<void> {
  const since = from === undefined ? '0' : (from.since / 1e6).toFixed(6)
  const follow = how === 'following' ? '1' : '0'
  const query = { stdout: '1', stderr: '1', follow, timestamps: '1', since }
  // A service may be silent for as long as it likes.
  const log = await engine.read('GET', `/containers/${name}/logs`, { query, signal, timeoutMs: 0 })
  const lines = lineReader(from?.lines ?? 0, take)
  try {
    readFrames(log, (_, piece, isLast) => lines.frame(piece, isLast))
    // Behind the listener of the frames: all that came at once is handed on at once.
    log.on('data', () => lines.flush())
    await once(log, 'end', { signal })
  } finally {
    log.destroy()
  }
}
