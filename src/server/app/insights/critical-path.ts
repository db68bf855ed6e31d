import { criticalPath, type PathStep } from '#core/insights/critical-path.ts'
import type { Instant } from '#kit/brand.ts'
import type { App } from '#server/app/app.ts'
import type { StoredWorkflow } from '#server/app/find.ts'

/** The jobs that decided how long a workflow took; of one that still runs, so far. */
export function criticalPathOf({ world }: App, { workflow, row }: StoredWorkflow): readonly PathStep[] {
  const time = (at: Instant) => Date.parse(at)
  return criticalPath(
    workflow.jobs.flatMap(({ id, name, needs, queuedAt, startedAt, stoppedAt, reusedFrom }) => {
      if (startedAt === undefined || reusedFrom !== undefined) return []
      const stopped = time(stoppedAt ?? (row.stopped_at as Instant | null) ?? world.now())
      const began = time(startedAt)
      const ready = time(queuedAt ?? startedAt)
      return [{ id, name, needs: needs.map(({ job }) => job), ready, started: began, stopped }]
    }),
  )
}
