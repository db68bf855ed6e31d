import { type Runs, runsByBranch, runsOf } from '#core/insights/runs.ts'
import { addTotals, noTotals, type Totals, totalsOf } from '#core/insights/totals.ts'
import { usualWindow, windowBefore, type WindowName, windowOf } from '#core/insights/window.ts'
import { breathe } from './breathe.ts'
import { type Compared, type ComparedSums, compareRuns, compareTotals, type Two } from './compare.ts'
import { branchesIn, namesOf } from './names.ts'
import { type Branches, readOpenRuns, readRuns } from './read-runs.ts'
import type { Source } from './source.ts'

const none = runsOf([])

/** The workflows of a project that ran at all, each with the runs of two windows. */
async function readWindows(
  { db, now: at }: Source,
  project: string,
  window: WindowName,
  branches: Branches,
  wanted: (workflow: string) => boolean,
): Promise<{ readonly names: readonly string[]; readonly workflows: ReadonlyMap<string, Two<Runs>> }> {
  const [now, before] = [windowOf(window, at), windowBefore(window, at)]
  const open = await readOpenRuns(db, project)
  const names = await namesOf(db, project, open)
  const workflows = new Map<string, Two<Runs>>()
  for (const workflow of names.filter(wanted)) {
    const about = { project, workflow, branches }
    workflows.set(workflow, {
      now: await readRuns(db, { ...about, window: now }, open.get(workflow)),
      before: before && (await readRuns(db, { ...about, window: before }, open.get(workflow))),
    })
    await breathe()
  }
  return { names, workflows }
}

/** One workflow compared, and the names of all. */
export async function workflowSummary(
  source: Source,
  project: string,
  workflow: string,
  branches: Branches,
  window: WindowName = 'last-30-days',
): Promise<{ readonly compared: Compared; readonly names: readonly string[] }> {
  const { names, workflows } = await readWindows(source, project, window, branches, (name) => name === workflow)
  const two = workflows.get(workflow) ?? { now: none, before: windowBefore(window, source.now) && none }
  return { compared: compareRuns(two, source.rule, window), names }
}

/** A project whole, by workflow, and by workflow and branch. */
export interface ProjectSummary {
  readonly whole: ComparedSums
  readonly workflows: readonly { readonly name: string; readonly compared: Compared }[]
  readonly branches: readonly { readonly name: string; readonly branch: string; readonly compared: Compared }[]
  readonly allBranches: readonly string[]
  readonly allWorkflows: readonly string[]
}

export async function projectSummary(
  source: Source,
  project: string,
  window: WindowName = usualWindow,
  branches: readonly string[] = [],
  names: readonly string[] = [],
): Promise<ProjectSummary> {
  const { rule, db } = source
  const chosen = branches.length === 0 ? undefined : new Set(branches)
  const wanted = (workflow: string) => names.length === 0 || names.includes(workflow)
  const { names: allWorkflows, workflows } = await readWindows(source, project, window, chosen, wanted)
  const workflowsShown: { name: string; compared: Compared }[] = []
  const branchesShown: { name: string; branch: string; compared: Compared }[] = []
  let whole: Two<Totals> = { now: noTotals, before: windowBefore(window, source.now) && noTotals }
  for (const [name, two] of workflows) {
    whole = {
      now: addTotals(whole.now, totalsOf(two.now)),
      before: whole.before && two.before && addTotals(whole.before, totalsOf(two.before)),
    }
    if (two.now.started.length === 0) continue
    workflowsShown.push({ name, compared: compareRuns(two, rule, window) })
    const before = two.before && runsByBranch(two.before)
    for (const [branch, now] of [...runsByBranch(two.now)].toSorted(byKey)) {
      if (branch === '' || now.started.length === 0) continue
      const both = { now, before: before && (before.get(branch) ?? none) }
      branchesShown.push({ name, branch, compared: compareRuns(both, rule, window) })
    }
    await breathe()
  }
  return {
    whole: compareTotals(whole, rule),
    workflows: workflowsShown,
    branches: branchesShown,
    allBranches: await branchesIn(db, project, allWorkflows),
    allWorkflows,
  }
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
