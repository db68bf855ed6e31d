import { backoff, pause } from '#kit/backoff.ts'
import type { Server } from './server.ts'
import { Unreachable } from './wire.ts'

/** A job that this agent holds, and what to do when the server, or the clock, says so. */
export interface Lease {
  readonly job: string
  readonly node: number
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
  /** The server has answered something about the job that was sent then: it knows who has it. */
  heard(lease: Lease, sent: number): void
  /** Everything that is held now. */
  all(): readonly { readonly job: string; readonly fence: number }[]
  /** Sends a heartbeat now, whatever the one under way waits for. */
  speak(): void
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

/** Two nodes of one job are two leases. */
const keyOf = ({ job, node }: Lease): string => `${job} ${node}`

/** Holds nothing yet. `graceMs` is what a job may need to stop: so much sooner a lease counts as ended. */
export function openLeases(
  server: Server,
  instance: string,
  graceMs: number,
  isDraining: () => boolean = () => false,
): Leases {
  const held = new Map<string, Held>()
  const all = () => [...held.values()].map(({ lease: { job, fence } }) => ({ job, fence }))
  let named = new Set<string>()
  let wake = new AbortController()

  function watch(one: Held): void {
    const left = one.renewed + one.lasts - Math.min(graceMs, one.lasts / 4) - performance.now()
    if (left <= 0) one.lease.expire()
    else one.watcher = setTimeout(watch, left + 1, one)
  }

  function renew(one: Held, sent: number): void {
    one.renewed = Math.max(one.renewed, sent)
    one.lasts = one.leaseMs
  }

  /** Asks again with all leases where the request that is under way does not name this one. */
  function announce(key: string): void {
    if (held.has(key) && !named.has(key)) wake.abort(new Error('There are more leases'))
  }

  async function beat(holdMs: number, signal: AbortSignal): Promise<void> {
    const sent = performance.now()
    named = new Set(held.keys())
    const leases = all()
    const beating = [...held.values()]
    const answer = await server.heartbeat({ instance, leases, draining: isDraining() }, holdMs, signal)
    const of = (list: typeof answer.cancel) =>
      list.flatMap(({ job, fence }) =>
        [...held.values()].flatMap(({ lease }) => (lease.job === job && lease.fence === fence ? [lease] : [])),
      )
    const lost = of(answer.lost)
    for (const one of beating) if (!lost.includes(one.lease)) renew(one, sent)
    for (const lease of lost) lease.lose()
    for (const lease of of(answer.cancel)) lease.cancel()
    // A job that is being stopped is named in every answer until it has ended: without a pause we would ask without pause.
    if (performance.now() - sent < 200) await pause(500, signal)
  }

  return {
    all,
    hold(lease, leaseMs, acceptMs) {
      // The same job, handed out again: what was left of the earlier time is not ours any more.
      const key = keyOf(lease)
      const earlier = held.get(key)?.lease
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
        // So early that what is left of the time is enough for an answer, also from a busy server.
        announcer: setTimeout(announce, Math.min(soon, acceptMs / 8), key),
      }
      held.set(key, one)
      watch(one)
    },
    drop(lease) {
      const key = keyOf(lease)
      const one = held.get(key)
      if (one?.lease !== lease) return
      clearTimeout(one.watcher)
      clearTimeout(one.announcer)
      named.delete(key)
      held.delete(key)
    },
    heard(lease, sent) {
      const one = held.get(keyOf(lease))
      if (one?.lease === lease) renew(one, sent)
    },
    speak() {
      if (held.size > 0) wake.abort(new Error('There is something to say'))
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
