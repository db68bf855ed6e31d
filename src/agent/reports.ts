import type { JobSpec } from '#contract/agent.ts'
import type { StepReport } from '#contract/agent/report.ts'
import { backoff, pause } from '#kit/backoff.ts'
import type { JobServer } from './server.ts'
import { Unreachable } from './wire.ts'

/** How the steps of a job stand, told to the server now and then. */
export interface Reports {
  set(report: StepReport): void
  /** Every step, in order. */
  all(): readonly StepReport[]
}

/** A step that ends sooner than this is told about with the others, or with the end of the job. */
const soon = 50

/**
 * Tells the server how steps stand, several changes at a time, until the signal aborts.
 * `heard` is called with the time at which something was said that the server has answered.
 * What cannot be said now is said with the next change, and all of it once more at the end of the job: so nothing is retried here.
 */
export function openReports(
  spec: JobSpec,
  server: JobServer,
  signal: AbortSignal,
  refused: (error: unknown) => void,
  heard: (sent: number) => void,
): Reports {
  const reports = new Map<number, StepReport>()
  const changed = new Set<number>()
  let telling = false
  let spoken = false

  async function tell(): Promise<void> {
    telling = true
    let failures = 0
    // The first word about a job goes out before anything of it runs: if we die, the server knows that it had begun.
    if (spoken) await pause(soon, signal)
    spoken = true
    while (changed.size > 0 && !signal.aborted) {
      const told = [...changed]
      changed.clear()
      try {
        const sent = performance.now()
        const steps = told.flatMap((index) => reports.get(index) ?? [])
        await server.report({ steps, sent_at: new Date().toISOString() }, signal)
        heard(sent)
      } catch (error) {
        if (!(error instanceof Unreachable)) {
          if (!signal.aborted) refused(error)
          break
        }
        for (const index of told) changed.add(index)
        await pause(backoff(failures++, soon, 5000), signal)
      }
      await pause(Math.max(spec.log.interval_ms, soon), signal)
    }
    telling = false
  }

  return {
    set(report) {
      reports.set(report.index, report)
      changed.add(report.index)
      if (!telling) void tell()
    },
    all: () => [...reports.values()].toSorted((a, b) => a.index - b.index),
  }
}
