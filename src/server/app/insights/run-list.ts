import type { Window } from '#core/insights/window.ts'
import type { RunFact } from '#server/store/facts.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { afterAll, type RunPlace, runsBefore } from '#server/store/run-list.ts'
import type { App } from '#server/app/app.ts'
import type { PageOf } from '#server/app/lists.ts'
import type { Branches } from './read-runs.ts'

export type { RunFact }

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
  const rows = await runsBefore(app.world.db, of, after === undefined ? afterAll : placeIn(after), pageSize + 1)
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  return { items, next: last && rows.length > pageSize ? `${last.started} ${last.id}` : null }
}

function placeIn(text: string): RunPlace {
  const [started = '', id = ''] = text.split(' ')
  return { started: Number(started), id }
}
