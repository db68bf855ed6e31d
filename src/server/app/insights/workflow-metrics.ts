import { type Metrics, metricsOf } from '#core/insights/metrics.ts'
import { type Granularity, type Interval, seriesOf } from '#core/insights/series.ts'
import type { Run } from '#core/insights/run.ts'
import { usualWindow, type Window, type WindowName, windowOf } from '#core/insights/window.ts'
import { workflowNames } from '#server/store/fact-names.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import type { PageOf } from '#server/app/lists.ts'
import { type Branches, readJobs, readOpenRuns, readRuns } from './read-runs.ts'

/** Which branches somebody asked for. */
export interface BranchQuery {
  readonly branch?: string
  readonly branches?: readonly string[]
  readonly 'all-branches'?: boolean
}

/** All of them, those that are named, or else the default branch. */
export function branchesOf(project: ProjectRow, query: BranchQuery): Branches {
  if (query['all-branches'] === true) return undefined
  const named = [...(query.branches ?? []), ...(query.branch === undefined ? [] : [query.branch])]
  return new Set(named.length === 0 ? [project.default_branch] : named)
}

/** What the runs of one name come to. */
export interface Named {
  readonly name: string
  readonly metrics: Metrics
}

const pageSize = 250

/** The names of the workflows of a project: those that ended once, and those that are running. */
export async function namesOf(
  app: App,
  project: ProjectRow,
  open: ReadonlyMap<string, readonly Run[]>,
): Promise<readonly string[]> {
  return [...new Set([...(await workflowNames(app.world.db, project.id)), ...open.keys()])].toSorted()
}

/** The same, of a project of which nothing else is known yet. */
export const projectWorkflows = async (app: App, project: ProjectRow): Promise<readonly string[]> =>
  namesOf(app, project, await readOpenRuns(app.world.db, project.id))

/** The workflows of a project with what their runs in a window come to, by name. */
export async function workflowMetrics(
  app: App,
  project: ProjectRow,
  branches: Branches,
  window: WindowName = usualWindow,
  after = '',
): Promise<PageOf<Named>> {
  const { db, now, terms } = app.world
  const span = windowOf(window, Date.parse(now()))
  const open = await readOpenRuns(db, project.id)
  return pageOfNames(after, await namesOf(app, project, open), async (workflow) =>
    metricsOf(
      await readRuns(db, { project: project.id, workflow, window: span, branches }, open.get(workflow)),
      terms.insights.successRate,
    ),
  )
}

/** The builds of a workflow with what they come to in a window, by name. */
export async function jobMetrics(
  app: App,
  project: ProjectRow,
  workflow: string,
  branches: Branches,
  window: WindowName = usualWindow,
  after = '',
): Promise<PageOf<Named>> {
  const { db, now, terms } = app.world
  const span = windowOf(window, Date.parse(now()))
  const jobs = await readJobs(db, { project: project.id, workflow, window: span, branches })
  return pageOfNames(after, [...jobs.keys()].toSorted(), async (name) =>
    metricsOf(jobs.get(name) ?? [], terms.insights.successRate),
  )
}

/** A page of names of which something ran. */
async function pageOfNames(
  after: string,
  names: readonly string[],
  measure: (name: string) => Promise<Metrics>,
): Promise<PageOf<Named>> {
  const items: Named[] = []
  for (const name of names) {
    if (name <= after) continue
    const metrics = await measure(name)
    if (metrics.total === 0) continue
    if (items.length === pageSize) return { items, next: items.at(-1)?.name ?? null }
    items.push({ name, metrics })
  }
  return { items, next: null }
}

/** What the builds of a workflow come to in each day or hour of a window, newest first. */
export async function jobSeries(
  app: App,
  project: ProjectRow,
  workflow: string,
  branches: Branches,
  window: Window,
  granularity: Granularity,
  after?: string,
): Promise<PageOf<Interval>> {
  const jobs = await readJobs(app.world.db, { project: project.id, workflow, window, branches })
  const all = seriesOf(pairsOf(jobs), granularity)
  const from = after === undefined ? 0 : all.findIndex((item) => isAfter(item, after))
  if (from === -1) return { items: [], next: null }
  const items = all.slice(from, from + pageSize)
  const last = items.at(-1)
  return { items, next: last && all.length > from + pageSize ? placeOf(last) : null }
}

function* pairsOf(jobs: ReadonlyMap<string, readonly Run[]>): Generator<readonly [string, Run]> {
  for (const [name, runs] of jobs) for (const run of runs) yield [name, run]
}

const placeOf = ({ at, name }: Interval): string => `${at} ${name}`

function isAfter({ at, name }: Interval, place: string): boolean {
  const cut = place.indexOf(' ')
  const [time, other] = [Number(place.slice(0, cut)), place.slice(cut + 1)]
  return at < time || (at === time && name > other)
}
