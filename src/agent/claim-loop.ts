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
  /** Why this agent can take no jobs now, if it cannot: asked before each claim. */
  readonly obstacle: () => string | undefined
  /** How long an agent that can take none waits before it looks again; 5 seconds unless given. */
  readonly lookAgainMs?: number
}

/** Claims jobs while there are free slots, one request at a time, until the signal aborts or the server wants no more; rejects when the server refuses. */
export async function claimLoop(
  { server, jobs, instance, slots, leaseMs, acceptMs, holdMs, tell, obstacle: look, lookAgainMs = 5000 }: Claiming,
  signal: AbortSignal,
): Promise<void> {
  let told: string | undefined
  while (!signal.aborted) {
    const free = slots - jobs.count()
    if (free <= 0) {
      await jobs.changed(signal)
      continue
    }
    const obstacle = look()
    if (obstacle !== told) tell(obstacle ?? 'This agent can take jobs again')
    told = obstacle
    const asked = performance.now()
    try {
      const answer = await persist(
        () =>
          server.claim({ instance, free, leases: [...jobs.holds()], ...(obstacle && { obstacle }) }, holdMs, signal),
        signal,
        tell,
      )
      for (const spec of answer.jobs) jobs.begin({ spec, leaseMs, acceptMs, claimedAt: uptimeMs() })
      if (answer.drain === true) {
        tell('The server asks this agent to end')
        return
      }
      if (obstacle !== undefined) await pause(lookAgainMs, signal)
      // A server that answers "nothing" at once must not be asked without pause.
      if (answer.jobs.length === 0 && performance.now() - asked < 100) await pause(100, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
