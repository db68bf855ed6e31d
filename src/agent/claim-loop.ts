import { pause } from '#kit/backoff.ts'
import type { Jobs } from './jobs.ts'
import { persist, type Server } from './server.ts'
import { uptimeMs } from './uptime.ts'

/** What claiming needs to know. */
export interface Claiming {
  readonly server: Server
  readonly jobs: Jobs
  readonly instance: string
  readonly slots: number
  readonly leaseMs: number
  readonly acceptMs: number
  readonly holdMs: number
  readonly tell: (line: string) => void
}

/** Claims jobs while there are free slots, one request at a time, until the signal aborts or the server wants no more; rejects when the server refuses. */
export async function claimLoop(
  { server, jobs, instance, slots, leaseMs, acceptMs, holdMs, tell }: Claiming,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const free = slots - jobs.count()
    if (free <= 0) {
      await jobs.changed(signal)
      continue
    }
    const asked = performance.now()
    try {
      const answer = await persist(
        () => server.claim({ instance, free, leases: [...jobs.holds()] }, holdMs, signal),
        signal,
        tell,
      )
      for (const spec of answer.jobs) jobs.begin({ spec, leaseMs, acceptMs, claimedAt: uptimeMs() })
      if (answer.drain === true) {
        tell('The server asks this agent to end')
        return
      }
      // A server that answers "nothing" at once must not be asked without pause.
      if (answer.jobs.length === 0 && performance.now() - asked < 100) await pause(100, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
