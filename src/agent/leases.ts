import { backoff, pause } from '#kit/backoff.ts'
import type { Server } from './server.ts'
import { Unreachable } from './wire.ts'

/** A job that this agent holds, and what to do when the server, or the clock, says so. */
export interface Lease {
  readonly job: string
  readonly fence: number
  /** Somebody canceled the job. May be called again. */
  cancel(): void
  /** The job belongs to somebody else. */
  lose(): void
  /** The lease could not be renewed and is about to end. */
  expire(): void
}

/** The leases of an agent, kept by one request that the server holds open. */
export interface Leases {
  /** Until a heartbeat has named it, it lasts for `acceptMs` only. */
  hold(lease: Lease, leaseMs: number, acceptMs: number): void
  drop(lease: Lease): void
  /** Runs until the signal aborts; rejects when the server refuses this agent. */
  keep(holdMs: number, signal: AbortSignal): Promise<void>
}

interface Held {
  readonly lease: Lease
  readonly leaseMs: number
  /** As long as it lasts without another word: shorter until the server has heard of it. */
  lasts: number
  /** When the last request was sent that renewed it: the server's clock began then or later. */
  renewed: number
  watcher: NodeJS.Timeout | undefined
  readonly announcer: NodeJS.Timeout
}

/** A job shorter than this never appears in a heartbeat: it is over before anybody could cancel it. */
const soon = 300

/** Holds nothing yet. `graceMs` is what a job may need to stop: so much sooner a lease counts as ended. */
export function openLeases(server: Server, instance: string, graceMs: number): Leases {
  const held = new Map<string, Held>()
  let named = new Set<string>()
  let wake = new AbortController()

  function watch(one: Held): void {
    const left = one.renewed + one.lasts - Math.min(graceMs, one.lasts / 4) - performance.now()
    if (left <= 0) one.lease.expire()
    else one.watcher = setTimeout(watch, left + 1, one)
  }

  /** Asks again with all leases where the request that is under way does not name this one. */
  function announce(job: string): void {
    if (held.has(job) && !named.has(job)) wake.abort(new Error('There are more leases'))
  }

  async function beat(holdMs: number, signal: AbortSignal): Promise<void> {
    const sent = performance.now()
    named = new Set(held.keys())
    const leases = [...held.values()].map(({ lease: { job, fence } }) => ({ job, fence }))
    const answer = await server.heartbeat({ instance, leases }, holdMs, signal)
    const of = (list: typeof answer.cancel) =>
      list.flatMap(({ job, fence }) => {
        const one = held.get(job)
        return one?.lease.fence === fence ? [one.lease] : []
      })
    const lost = of(answer.lost)
    for (const { job } of leases) {
      const one = held.get(job)
      if (!one || lost.includes(one.lease)) continue
      one.renewed = sent
      one.lasts = one.leaseMs
    }
    for (const lease of lost) lease.lose()
    for (const lease of of(answer.cancel)) lease.cancel()
    // A job that is being stopped is named in every answer until it has ended: without a pause we would ask without pause.
    if (performance.now() - sent < 200) await pause(500, signal)
  }

  return {
    hold(lease, leaseMs, acceptMs) {
      // The same job, handed out again: what was left of the earlier time is not ours any more.
      const earlier = held.get(lease.job)?.lease
      if (earlier) {
        this.drop(earlier)
        earlier.lose()
      }
      const one: Held = {
        lease,
        leaseMs,
        lasts: Math.min(leaseMs, acceptMs),
        renewed: performance.now(),
        watcher: undefined,
        announcer: setTimeout(announce, soon, lease.job),
      }
      held.set(lease.job, one)
      watch(one)
    },
    drop(lease) {
      const one = held.get(lease.job)
      if (one?.lease !== lease) return
      clearTimeout(one.watcher)
      clearTimeout(one.announcer)
      named.delete(lease.job)
      held.delete(lease.job)
    },
    async keep(holdMs, signal) {
      for (let failures = 0; !signal.aborted;) {
        wake = new AbortController()
        const either = AbortSignal.any([wake.signal, signal])
        try {
          if (held.size === 0) await pause(2 ** 31 - 1, either)
          else await beat(holdMs, either)
          failures = 0
        } catch (error) {
          if (either.aborted) continue
          if (!(error instanceof Unreachable)) throw error
          await pause(backoff(failures++, 50, 2000), signal)
        }
      }
    },
  }
}
