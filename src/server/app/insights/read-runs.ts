import type { Run } from '#core/insights/run.ts'
import { gatherJobs, type Jobs, runsByName } from '#core/insights/jobs.ts'
import { gatherRuns, type Runs, statusPlaces } from '#core/insights/runs.ts'
import type { Window } from '#core/insights/window.ts'
import { openJobs, openRuns } from '#server/store/fact-names.ts'
import { readJobFacts } from '#server/store/pack-jobs.ts'
import { readRunFacts } from '#server/store/pack-runs.ts'
import type { Db } from '#server/store/schema.ts'

/** Which branches count; undefined: all, and what ran for tags. */
export type Branches = ReadonlySet<string> | undefined

/** Which runs: of one workflow, in a window, on some branches. */
export interface RunsWanted {
  readonly project: string
  readonly workflow: string
  readonly window: Window
  readonly branches: Branches
}

/** A run that has not ended. */
export type OpenRun = Pick<Run, 'started' | 'branch'>

/** Workflows of a project that have not ended, by name. */
export async function readOpenRuns(db: Db, project: string): Promise<ReadonlyMap<string, readonly OpenRun[]>> {
  return Map.groupBy(
    (await openRuns(db, { project })).map((row) => ({
      name: row.name,
      started: Date.parse(row.created_at),
      branch: row.branch ?? '',
    })),
    ({ name }) => name,
  )
}

const open = statusPlaces.get('open') ?? 0
const isIn = ({ started }: OpenRun, { from, to }: Window): boolean => started >= from && started < to

/** Runs that ended, and those of the open ones that are wanted. */
export async function readRuns(db: Db, wanted: RunsWanted, openOnes: readonly OpenRun[] = []): Promise<Runs> {
  const { project, workflow, window, branches } = wanted
  const gathering = gatherRuns(branches)
  await readRunFacts(db, { project, workflow }, window, gathering)
  for (const run of openOnes) {
    const on = gathering.branchAt(run.branch)
    if (on !== -1 && isIn(run, window)) gathering.add(run.started, Number.NaN, 0, open, on)
  }
  return gathering.all().runs
}

/** Builds that ended. */
export async function readEndedJobs(db: Db, { project, workflow, window, branches }: RunsWanted): Promise<Jobs> {
  const gathering = gatherJobs(branches)
  await readJobFacts(db, { project, workflow }, window, gathering)
  return gathering.all()
}

/** The runs of builds, those that ended and those that have not, by name. */
export async function readJobs(db: Db, wanted: RunsWanted): Promise<ReadonlyMap<string, Runs>> {
  const { project, workflow, window, branches } = wanted
  const gathering = gatherJobs(branches)
  await readJobFacts(db, { project, workflow }, window, gathering)
  for (const job of await openJobs(db, { project, workflow })) {
    const run = { started: Date.parse(job.started_at ?? job.queued_at ?? job.created_at), branch: job.branch ?? '' }
    const on = gathering.branchAt(run.branch)
    if (on === -1 || !isIn(run, window)) continue
    gathering.addRun(run.started, Number.NaN, 0, open, on)
    gathering.addJob(gathering.nameAt(job.name), 0, gathering.classAt(''), 1)
  }
  return runsByName(gathering.all())
}
