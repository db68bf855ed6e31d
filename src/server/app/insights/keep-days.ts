import { dayMs } from '#core/insights/window.ts'
import { jobWorkflowNames, workflowNames } from '#server/store/fact-names.ts'
import { allProjects, type ProjectRow } from '#server/store/projects.ts'
import { dayBefore, foldRuns, forgetJobs, type RunDayRow } from '#server/store/run-days.ts'
import type { App } from '#server/app/app.ts'
import type { PageOf } from '#server/app/lists.ts'
import type { World } from '#server/app/world.ts'

export type { RunDayRow }

/** Turns runs that were kept long enough into sums of their days: a day of a workflow at a time, so that nobody waits. */
export async function foldOldRuns(world: World, signal?: AbortSignal): Promise<void> {
  // Whole days only: what a day came to is then the same, however it is read.
  const before = Math.floor((Date.parse(world.now()) - world.terms.insights.keepDays * dayMs) / dayMs) * dayMs
  for (const { id } of await allProjects(world.db)) {
    // Each by its own names: builds of a workflow may outlast its last run.
    for (const [names, fold] of [
      [jobWorkflowNames, forgetJobs],
      [workflowNames, foldRuns],
    ] as const) {
      for (const workflow of await names(world.db, id)) {
        while (await world.db.transaction().execute((tx) => fold(tx, id, workflow, before))) {
          if (signal?.aborted) return
        }
      }
    }
  }
}

const daysOnPage = 90

/** What the runs of a workflow came to, day by day, newest first. */
export async function runDays(
  { world }: App,
  project: ProjectRow,
  workflow: string,
  after?: string,
): Promise<PageOf<RunDayRow>> {
  const items: RunDayRow[] = []
  let before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)
  for (let days = 0; days < daysOnPage; days += 1) {
    const rows = await dayBefore(world.db, project.id, workflow, before)
    if (rows.length === 0) return { items, next: null }
    items.push(...rows)
    before = rows[0]?.day ?? 0
  }
  return { items, next: String(before) }
}
