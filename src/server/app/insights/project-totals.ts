import { addTotals, noTotals, type Totals } from '#core/insights/totals.ts'
import { type Window, windowBefore, type WindowName, windowOf } from '#core/insights/window.ts'
import { readTotals } from '#server/store/run-totals.ts'
import type { Two } from './compare.ts'
import { namesOf } from './names.ts'
import { type OpenRun, readOpenRuns } from './read-runs.ts'
import type { Source } from './source.ts'

/** What all runs of a project come to in a window, and in the one before. */
export async function projectTotals({ db, now: at }: Source, project: string, name: WindowName): Promise<Two<Totals>> {
  const open = await readOpenRuns(db, project)
  const names = await namesOf(db, project, open)
  const totalsIn = async (window: Window): Promise<Totals> => {
    let sum = noTotals
    for (const workflow of names) {
      sum = addTotals(sum, await readTotals(db, { project, workflow }, window))
      for (const run of open.get(workflow) ?? []) sum = addTotals(sum, openTotals(run, window))
    }
    return sum
  }
  const before = windowBefore(name, at)
  return { now: await totalsIn(windowOf(name, at)), before: before && (await totalsIn(before)) }
}

/** What a run that has not ended adds: it counts, and took no time yet. */
const openTotals = ({ started }: OpenRun, { from, to }: Window): Totals =>
  started >= from && started < to ? { ...noTotals, total: 1, first: started, last: started } : noTotals
