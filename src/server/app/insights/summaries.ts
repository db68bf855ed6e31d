import { type Metrics, metricsOf } from '#core/insights/metrics.ts'
import type { Run } from '#core/insights/run.ts'
import { benchmarkOf, trend } from '#core/insights/trend.ts'
import { intervalOf, usualWindow, windowBefore, type WindowName, windowOf } from '#core/insights/window.ts'
import { branchNames } from '#server/store/fact-names.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import { type Branches, readOpenRuns, readRuns } from './read-runs.ts'
import { namesOf } from './workflow-metrics.ts'

/** Numbers of a window, and what they are over those of the window before. */
export interface Compared {
  readonly metrics: Metrics
  readonly trends: Trends
}

export interface Trends {
  readonly runs: number
  readonly failed: number
  readonly successRate: number
  readonly seconds: number
  readonly credits: number
  readonly throughput: number
  readonly mttr: number
  readonly p95: number
  readonly median: number
}

/** Longer windows have no trend. */
const steady: Trends = {
  runs: 1,
  failed: 1,
  successRate: 1,
  seconds: 1,
  credits: 1,
  throughput: 1,
  mttr: 1,
  p95: 1,
  median: 1,
}

/** The runs of a window, and those of the window before where that is looked at. */
export interface TwoWindows {
  readonly now: readonly Run[]
  readonly before: readonly Run[] | undefined
}

/** What two windows come to, compared. */
export function compare(app: App, { now, before }: TwoWindows, window: WindowName): Compared {
  const rule = app.world.terms.insights.successRate
  const metrics = metricsOf(now, rule)
  if (!before) return { metrics, trends: steady }
  const old = metricsOf(before, rule)
  const benchmark = benchmarkOf(before, intervalOf(window))
  return {
    metrics,
    trends: {
      runs: trend(metrics.total, old.total),
      failed: trend(metrics.failed, old.failed),
      successRate: trend(metrics.successRate, old.successRate),
      seconds: trend(metrics.totalSeconds, old.totalSeconds),
      credits: trend(metrics.credits, old.credits),
      throughput: trend(metrics.throughput, old.throughput),
      mttr: trend(metrics.mttr, old.mttr),
      p95: trend(metrics.durations.p95, benchmark.p95),
      median: trend(metrics.durations.median, benchmark.median),
    },
  }
}

/** The workflows of a project that ran at all, each with the runs of two windows. */
export async function readWindows(
  app: App,
  project: ProjectRow,
  window: WindowName,
  branches: Branches,
  wanted: (workflow: string) => boolean = () => true,
): Promise<{ readonly names: readonly string[]; readonly workflows: ReadonlyMap<string, TwoWindows> }> {
  const { db, now: clock } = app.world
  const at = Date.parse(clock())
  const [now, before] = [windowOf(window, at), windowBefore(window, at)]
  const open = await readOpenRuns(db, project.id)
  const names = await namesOf(app, project, open)
  const workflows = new Map<string, TwoWindows>()
  for (const workflow of names.filter(wanted)) {
    const about = { project: project.id, workflow, branches }
    workflows.set(workflow, {
      now: await readRuns(db, { ...about, window: now }, open.get(workflow)),
      before: before && (await readRuns(db, { ...about, window: before }, open.get(workflow))),
    })
  }
  return { names, workflows }
}

/** One workflow compared, and the names of all. */
export async function workflowSummary(
  app: App,
  project: ProjectRow,
  workflow: string,
  branches: Branches,
  window: WindowName = 'last-30-days',
): Promise<{ readonly compared: Compared; readonly names: readonly string[] }> {
  const { names, workflows } = await readWindows(app, project, window, branches, (name) => name === workflow)
  return { compared: compare(app, workflows.get(workflow) ?? { now: [], before: [] }, window), names }
}

/** A project whole, by workflow, and by workflow and branch. */
export interface ProjectSummary {
  readonly whole: Compared
  readonly workflows: readonly { readonly name: string; readonly compared: Compared }[]
  readonly branches: readonly { readonly name: string; readonly branch: string; readonly compared: Compared }[]
  readonly allBranches: readonly string[]
  readonly allWorkflows: readonly string[]
}

export async function projectSummary(
  app: App,
  project: ProjectRow,
  window: WindowName = usualWindow,
  branches: readonly string[] = [],
  names: readonly string[] = [],
): Promise<ProjectSummary> {
  const chosen = branches.length === 0 ? undefined : new Set(branches)
  const wanted = (workflow: string) => names.length === 0 || names.includes(workflow)
  const { names: allWorkflows, workflows } = await readWindows(app, project, window, chosen, wanted)
  const shown = [...workflows].filter(([, { now }]) => now.length > 0)
  const workflowsShown: { name: string; compared: Compared }[] = []
  const branchesShown: { name: string; branch: string; compared: Compared }[] = []
  for (const [name, two] of shown) {
    workflowsShown.push({ name, compared: compare(app, two, window) })
    const before = two.before && Map.groupBy(two.before, branchOf)
    for (const [branch, now] of [...Map.groupBy(two.now, branchOf)].toSorted(byKey)) {
      if (branch === '') continue
      await breathe()
      const both = { now, before: before && (before.get(branch) ?? []) }
      branchesShown.push({ name, branch, compared: compare(app, both, window) })
    }
    await breathe()
  }
  const whole = together([...workflows.values()])
  await breathe()
  return {
    whole: compare(app, whole, window),
    workflows: workflowsShown,
    branches: branchesShown,
    allBranches: await allBranches(app, project, allWorkflows),
    allWorkflows,
  }
}

const branchOf = ({ branch }: Run): string => branch
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

/** Lets others have their turn: counting tens of thousands of runs takes a while. */
export const breathe = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Several workflows as one. */
export const together = (all: readonly TwoWindows[]): TwoWindows => ({
  now: all.flatMap(({ now }) => now),
  before: all.some(({ before }) => before === undefined) ? undefined : all.flatMap(({ before }) => before ?? []),
})

/** More branches than this are not listed (§4.2). */
const mostBranches = 5_000

/** The branches on which workflows of a project have run, as long as runs are kept. */
export async function allBranches(
  app: App,
  project: ProjectRow,
  workflows: readonly string[],
): Promise<readonly string[]> {
  const { db } = app.world
  const found = new Set<string>()
  for (const runs of (await readOpenRuns(db, project.id)).entries())
    if (workflows.includes(runs[0])) for (const { branch } of runs[1]) if (branch !== '') found.add(branch)
  for (const workflow of workflows) for (const name of await branchNames(db, project.id, workflow, 0)) found.add(name)
  return [...found].toSorted().slice(0, mostBranches)
}
