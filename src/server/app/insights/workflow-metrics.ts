import { type Metrics, metricsOf } from '#core/insights/metrics.ts'
import { type Granularity, type Interval, seriesOf } from '#core/insights/series.ts'
import { usualWindow, type Window, type WindowName, windowOf } from '#core/insights/window.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { PageOf } from '#server/app/page-of.ts'
import { breathe } from './breathe.ts'
import { namesOf } from './names.ts'
import { type Branches, readJobs, readOpenRuns, readRuns } from './read-runs.ts'
import type { Source } from './source.ts'

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

/** The workflows of a project with what their runs in a window come to, by name. */
export async function workflowMetrics(
  { db, now, rule }: Source,
  project: string,
  branches: Branches,
  window: WindowName = usualWindow,
  after = '',
): Promise<PageOf<Named>> {
  const span = windowOf(window, now)
  const open = await readOpenRuns(db, project)
  return pageOfNames(after, await namesOf(db, project, open), async (workflow) =>
    metricsOf(await readRuns(db, { project, workflow, window: span, branches }, open.get(workflow)), rule),
  )
}

/** The builds of a workflow with what they come to in a window, by name. */
export async function jobMetrics(
  { db, now, rule }: Source,
  project: string,
  workflow: string,
  branches: Branches,
  window: WindowName = usualWindow,
  after = '',
): Promise<PageOf<Named>> {
  const span = windowOf(window, now)
  const jobs = await readJobs(db, { project, workflow, window: span, branches })
  return pageOfNames(after, [...jobs.keys()].toSorted(), async (name) => {
    const runs = jobs.get(name)
    return runs && metricsOf(runs, rule)
  })
}

/** A page of names of which something ran. */
async function pageOfNames(
  after: string,
  names: readonly string[],
  measure: (name: string) => Promise<Metrics | undefined>,
): Promise<PageOf<Named>> {
  const items: Named[] = []
  for (const name of names) {
    if (name <= after) continue
    const metrics = await measure(name)
    await breathe()
    if (!metrics || metrics.total === 0) continue
    if (items.length === pageSize) return { items, next: items.at(-1)?.name ?? null }
    items.push({ name, metrics })
  }
  return { items, next: null }
}

/** What the builds of a workflow come to in each day or hour of a window, newest first. */
export async function jobSeries(
  { db }: Source,
  project: string,
  workflow: string,
  branches: Branches,
  window: Window,
  granularity: Granularity,
  after?: string,
): Promise<PageOf<Interval>> {
  const all = seriesOf(await readJobs(db, { project, workflow, window, branches }), granularity)
  const from = after === undefined ? 0 : all.findIndex((item) => isAfter(item, after))
  if (from === -1) return { items: [], next: null }
  const items = all.slice(from, from + pageSize)
  const last = items.at(-1)
  return { items, next: last && all.length > from + pageSize ? placeOf(last) : null }
}

const placeOf = ({ at, name }: Interval): string => `${at} ${name}`

function isAfter({ at, name }: Interval, place: string): boolean {
  const cut = place.indexOf(' ')
  const [time, other] = [Number(place.slice(0, cut)), place.slice(cut + 1)]
  return at < time || (at === time && name > other)
}
