import { wholeCredits } from '#core/insights/metrics.ts'
import type { Window } from '#core/insights/window.ts'
import { csvLine } from '#kit/csv.ts'
import { workflowNames } from '#server/store/fact-names.ts'
import type { RunFact } from '#server/store/facts.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { afterAll, type RunPlace, runsBefore } from '#server/store/run-list.ts'
import type { World } from '#server/app/world.ts'
import type { Branches } from './read-runs.ts'

export type ExportFormat = 'csv' | 'json'

const columns = ['workflow', 'id', 'branch', 'status', 'created_at', 'stopped_at', 'duration', 'credits_used'] as const

/** The runs of a project in a window as a text that comes in pieces: workflow by workflow, newest first. */
export async function* exportRuns(
  world: World,
  project: ProjectRow,
  wanted: { readonly window: Window; readonly branches: Branches; readonly workflow: string | undefined },
  format: ExportFormat,
): AsyncGenerator<string> {
  const names = wanted.workflow === undefined ? await workflowNames(world.db, project.id) : [wanted.workflow]
  yield format === 'csv' ? `${csvLine(columns)}\r\n` : '['
  let isFirst = true
  for (const workflow of names) {
    const of = { project: project.id, workflow, branches: wanted.branches, ...wanted.window }
    let place: RunPlace = afterAll
    for (;;) {
      const rows = await runsBefore(world.db, of, place, 500)
      const values = rows.map(valuesOf)
      if (values.length > 0)
        yield format === 'csv' ? values.map(csv).join('') : `${isFirst ? '' : ','}${values.map(json).join(',')}`
      isFirst &&= values.length === 0
      const last = rows.at(-1)
      if (!last || rows.length < 500) break
      place = last
    }
  }
  if (format === 'json') yield ']'
}

type Values = Readonly<Record<(typeof columns)[number], string | number>>

const valuesOf = ({ name, id, branch, status, started, duration, credits }: RunFact): Values => ({
  workflow: name,
  id,
  branch,
  status,
  created_at: new Date(started).toISOString(),
  stopped_at: new Date(started + duration).toISOString(),
  duration: Math.trunc(duration / 1000),
  credits_used: wholeCredits(credits),
})

const json = (values: Values): string => JSON.stringify(values)
const csv = (values: Values): string => `${csvLine(columns.map((column) => values[column]))}\r\n`
