import type { Window } from '#core/insights/window.ts'
import type { JobFact, RunFact } from '#server/store/facts.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { afterAll, jobRunsBefore, type RunPlace, runsBefore } from '#server/store/run-list.ts'
import type { App } from '#server/app/app.ts'
import type { PageOf } from '#server/app/lists.ts'
import type { Branches } from './read-runs.ts'

export type { JobFact, RunFact }

const pageSize = 250

/** The runs of a workflow that ended, newest first. */
export async function workflowRuns(
  app: App,
  project: ProjectRow,
  workflow: string,
  branches: Branches,
  window: Window,
  after?: string,
): Promise<PageOf<RunFact>> {
  const of = { project: project.id, workflow, branches, ...window }
  return pageIn(await runsBefore(app.world.db, of, after === undefined ? afterAll : placeIn(after), pageSize + 1))
}

/** The runs of one job of a workflow that ended, newest first. */
export async function jobRuns(
  app: App,
  project: ProjectRow,
  { workflow, job }: { readonly workflow: string; readonly job: string },
  branches: Branches,
  window: Window,
  after?: string,
): Promise<PageOf<JobFact>> {
  const of = { project: project.id, workflow, job, branches, ...window }
  return pageIn(await jobRunsBefore(app.world.db, of, after === undefined ? afterAll : placeIn(after), pageSize + 1))
}

function pageIn<T extends RunPlace>(rows: readonly T[]): PageOf<T> {
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  return { items, next: last && rows.length > pageSize ? `${last.started} ${last.id}` : null }
}

function placeIn(text: string): RunPlace {
  const [started = '', id = ''] = text.split(' ')
  return { started: Number(started), id }
}
