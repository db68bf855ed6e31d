import type { Mirrors } from './checkout/mirrors.ts'
import type { Exchange } from './exchange.ts'
import type { Executor, Place } from './executors/executor.ts'
import { sentence } from './full-disk.ts'
import { type ClaimedJob, forgetJob, readJob, writeJob } from './job-folder.ts'
import type { Leases } from './leases.ts'
import { serveJob } from './serve-job.ts'
import { type JobServer, openJob, persist } from './server.ts'
import type { Door } from './ssh/door.ts'
import { isOpenJob, visitOf } from './ssh/visit-of.ts'
import { type StopSwitch, stopSwitch } from './stop-switch.ts'
import type { Wire } from './wire.ts'

/** The jobs that this agent works on. */
export interface Jobs {
  /** How many slots are taken. */
  count(): number
  /** All that were handed to this agent and have not ended. */
  holds(): readonly { readonly job: string; readonly fence: number }[]
  /** Resolves when a slot has become free, or the signal aborts. */
  changed(signal: AbortSignal): Promise<void>
  /** Starts to work on a job that was claimed. */
  begin(job: ClaimedJob): void
  /** Goes on with the jobs that an earlier process left, and sweeps up what was no job. */
  takeOver(): Promise<void>
  /** Stops everything at once and reports nothing: the server has refused this agent. */
  loseAll(): void
  /** Resolves when there is no job, and nothing left of any. */
  idle(): Promise<void>
}

/** What all jobs share. */
export interface Workshop {
  readonly wire: Wire
  readonly executor: Executor
  readonly leases: Leases
  readonly graceMs: number
  readonly door?: Door | undefined
  readonly mirrors: Mirrors
  readonly exchange: Exchange
  readonly ownSecrets: readonly string[]
  /** Of the agent, for steps that ask. */
  readonly version: string
  readonly tell: (line: string) => void
}

/** Holds no job yet. */
export function openJobs(shop: Workshop): Jobs {
  const running = new Map<
    string,
    { readonly hold: { readonly job: string; readonly fence: number }; readonly stop?: StopSwitch }
  >()
  const working = new Set<Promise<void>>()
  let freed = Promise.withResolvers<void>()

  function own(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => shop.tell(`Cannot end a job: ${sentence(error)}`))
      .finally(() => working.delete(done))
    working.add(done)
  }

  function note(job: ClaimedJob, stop?: StopSwitch): void {
    const { id, fence } = job.spec
    running.set(keyOf(job), { hold: { job: id, fence }, ...(stop && { stop }) })
  }

  function free(job: ClaimedJob): void {
    running.delete(keyOf(job))
    freed.resolve()
    freed = Promise.withResolvers()
  }

  /** A server that looks into our files does not want them sent. */
  const serverOf = ({ spec: { id, token, log } }: ClaimedJob): JobServer =>
    openJob(shop.wire, id, token, log.windows ? shop.exchange : undefined)

  async function start(job: ClaimedJob): Promise<void> {
    const { id, fence } = job.spec
    const server = serverOf(job)
    let place: Place | undefined
    try {
      place = await shop.executor.prepare(job.spec)
      writeJob(place.folder, job)
    } catch (error) {
      shop.tell(`Cannot prepare job ${id}, attempt ${fence}: ${sentence(error)}`)
      await giveBack(server, `Cannot prepare the job: ${sentence(error)}`, shop.tell)
      free(job)
      return place && leave(place)
    }
    return serve(job, place, server)
  }

  async function serve(job: ClaimedJob, place: Place, server: JobServer): Promise<void> {
    const { id, fence } = job.spec
    const stop = stopSwitch(place, shop.graceMs)
    note(job, stop)
    const lease = {
      job: id,
      node: job.spec.node_index,
      fence,
      cancel: () => stop.stop({ type: 'canceled' }),
      lose: () => stop.stop({ type: 'lost' }),
      expire: () => stop.stop({ type: 'fenced' }),
    }
    shop.leases.hold(lease, job.leaseMs, job.acceptMs)
    const door = isOpenJob(job.spec) ? shop.door?.open(visitOf(job.spec, place, server)) : undefined
    // Told in the step that enables it.
    door?.catch(() => {})
    const close = () => void door?.then(({ presence }) => presence.close()).catch(() => {})
    stop.signal.addEventListener('abort', close, { once: true })
    try {
      await serveJob(job, { ...shop, place, server, stop, door, heard: (sent) => shop.leases.heard(lease, sent) })
    } catch (error) {
      shop.tell(`Cannot go on with job ${id}: ${sentence(error)}`)
      await place.stop(0)
      if (!stop.lost.aborted) await giveBack(server, `The agent failed: ${sentence(error)}`, shop.tell)
    } finally {
      close()
      shop.leases.drop(lease)
      free(job)
      await leave(place)
    }
  }

  return {
    count: () => running.size,
    holds: () => [...running.values()].map(({ hold }) => hold),
    async changed(signal) {
      const aborted = Promise.withResolvers<void>()
      const abort = () => aborted.resolve()
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      await Promise.race([freed.promise, aborted.promise])
      signal.removeEventListener('abort', abort)
    },
    begin(job) {
      note(job)
      own(start(job))
    },
    async takeOver() {
      for (const folder of shop.executor.list()) {
        const job = readJob(folder)
        const place = await shop.executor.attach(folder, job?.spec)
        if (!job) {
          await place.destroy()
          continue
        }
        shop.tell(`Going on with job ${job.spec.id}`)
        note(job)
        own(serve(job, place, serverOf(job)))
      }
    },
    loseAll() {
      for (const { stop } of running.values()) stop?.stop({ type: 'lost' })
    },
    async idle() {
      while (working.size > 0) await Promise.all(working)
    },
  }
}

/** Removes everything of a job that is over. */
async function leave(place: Place): Promise<void> {
  forgetJob(place.folder)
  await place.destroy()
}

/** Ends a job that never came to run, or not to its end, for a reason of ours. */
async function giveBack(server: JobServer, reason: string, tell: (line: string) => void): Promise<void> {
  const limit = AbortSignal.timeout(60_000)
  const end = { outcome: 'infrastructure_fail' as const, reason: reason.slice(0, 2000), steps: [] }
  await persist(() => server.finish(end, limit), limit, tell).catch((error: unknown) => tell(sentence(error)))
}

/** The same job may be handed out again before the last of its earlier time is gone. */
const keyOf = ({ spec: { id, fence } }: ClaimedJob) => `${id} ${fence}`
