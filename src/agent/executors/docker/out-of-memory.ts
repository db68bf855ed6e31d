import { text } from 'node:stream/consumers'
import { pause } from '#kit/backoff.ts'
import type { Engine } from './engine.ts'
import type { Limits } from './limits.ts'

/** What a step or a job that needed too much memory is told. */
export const outOfMemory = (limits: Limits | undefined): string =>
  limits
    ? `Out of memory: a process was killed as the job needed more than the ${limits.memoryMiB} MiB of its resource class`
    : 'Out of memory: a process was killed as the machine had no more'

/**
 * Whether the kernel has killed a process of a container for want of memory since a moment.
 * A code that looks like it is asked about a few times: the engine hears of it a little later than we of the code.
 */
export async function ranOutOfMemory(engine: Engine, container: string, since: Date, code: number): Promise<boolean> {
  const tries = code === 137 ? 5 : 1
  for (let i = 0; i < tries; i++) {
    if (i > 0) await pause(100)
    const query = {
      since: (since.getTime() / 1000).toFixed(3),
      until: (Date.now() / 1000).toFixed(3),
      filters: JSON.stringify({ container: [container], event: ['oom'] }),
    }
    try {
      if ((await text(await engine.read('GET', '/events', { query, timeoutMs: 3000 }))).trim() !== '') return true
    } catch {
      return false
    }
  }
  return false
}
