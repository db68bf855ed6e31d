import { type Stop, writeStop } from './job-folder.ts'
import type { Place } from './executors/executor.ts'

/** Stops a job before its end: the first reason counts, except that a job which is lost is lost. */
export interface StopSwitch {
  /** Aborts when the job is to stop for any reason. */
  readonly signal: AbortSignal
  /** Aborts when nothing may be said about the job any more. */
  readonly lost: AbortSignal
  reason(): Stop | undefined
  stop(why: Stop): void
  /** Resolves when nothing of the job runs any more. */
  stopped(): Promise<void>
}

/** Makes the switch of one job. What a job lost to others leaves behind is not asked to end but made to. */
export function stopSwitch(place: Place, graceMs: number): StopSwitch {
  const stopping = new AbortController()
  const lost = new AbortController()
  let reason: Stop | undefined
  let stopped = Promise.resolve()

  return {
    signal: stopping.signal,
    lost: lost.signal,
    reason: () => reason,
    stop(why) {
      if (why.type === 'lost') {
        reason = why
        lost.abort(new Error('The lease is lost'))
        stopped = place.stop(0)
      } else if (reason === undefined) {
        reason = why
        try {
          writeStop(place.folder, why)
        } catch {
          // A full disk must not keep a job running; only a process that takes over now would not know why it ended.
        }
        stopped = place.stop(graceMs)
      }
      stopping.abort(new Error('The job is stopped'))
    },
    stopped: () => stopped,
  }
}
