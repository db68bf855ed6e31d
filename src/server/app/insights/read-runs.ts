import type { Run, RunStatus } from '#core/insights/run.ts'
import type { Window } from '#core/insights/window.ts'
import { openJobs, openRuns } from '#server/store/fact-names.ts'
import { scanJobs, scanRuns } from '#server/store/scan-facts.ts'
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

/** Workflows of a project that have not ended, by name. */
export async function readOpenRuns(db: Db, project: string): Promise<ReadonlyMap<string, readonly Run[]>> {
  const found = new Map<string, Run[]>()
  for (const { name, created_at, branch } of await openRuns(db, { project })) {
    const run: Run = {
      started: Date.parse(created_at),
      duration: null,
      status: 'open',
      credits: 0,
      branch: branch ?? '',
    }
    const runs = found.get(name)
    if (runs) runs.push(run)
    else found.set(name, [run])
  }
  return found
}

const isWanted = ({ started, branch }: Run, { window, branches }: RunsWanted): boolean =>
  started >= window.from && started < window.to && (branches === undefined || branches.has(branch))

/** Runs that ended, and those of the open ones that are wanted. */
export async function readRuns(db: Db, wanted: RunsWanted, open: readonly Run[] = []): Promise<readonly Run[]> {
  const { project, workflow, window, branches } = wanted
  const runs: Run[] = open.filter((run) => isWanted(run, wanted))
  for await (const { started, duration, credits, status, branch } of scanRuns(db, { project, workflow, ...window })) {
    for (const [i, of] of branch.entries()) {
      if (branches !== undefined && !branches.has(of)) continue
      runs.push({
        started: started[i] ?? 0,
        duration: duration[i] ?? 0,
        status: status[i] as RunStatus,
        credits: credits[i] ?? 0,
        branch: of,
      })
    }
  }
  return runs
}

/** A build, and what it waited for and ran on. */
export interface JobRun extends Run {
  readonly name: string
  readonly queued: number
  readonly resourceClass: string
  readonly nodes: number
}

/** Builds that ended. */
export async function readEndedJobs(db: Db, wanted: RunsWanted): Promise<readonly JobRun[]> {
  const { project, workflow, window, branches } = wanted
  const runs: JobRun[] = []
  for await (const of of scanJobs(db, { project, workflow, ...window })) {
    for (const [i, branch] of of.branch.entries()) {
      if (branches !== undefined && !branches.has(branch)) continue
      runs.push({
        name: of.name[i] ?? '',
        started: of.started[i] ?? 0,
        duration: of.duration[i] ?? null,
        status: of.status[i] as RunStatus,
        credits: of.credits[i] ?? 0,
        branch,
        queued: of.queued[i] ?? 0,
        resourceClass: of.resource_class[i] ?? '',
        nodes: of.nodes[i] ?? 1,
      })
    }
  }
  return runs
}

/** Builds that ended, and those that have not, by name. */
export async function readJobs(db: Db, wanted: RunsWanted): Promise<ReadonlyMap<string, readonly Run[]>> {
  const found = new Map<string, Run[]>()
  const add = (name: string, run: Run) => {
    const runs = found.get(name)
    if (runs) runs.push(run)
    else found.set(name, [run])
  }
  for (const run of await readEndedJobs(db, wanted)) add(run.name, run)
  for (const job of await openJobs(db, { project: wanted.project, workflow: wanted.workflow })) {
    const started = Date.parse(job.started_at ?? job.queued_at ?? job.created_at)
    const run: Run = { started, duration: null, status: 'open', credits: 0, branch: job.branch ?? '' }
    if (isWanted(run, wanted)) add(job.name, run)
  }
  return found
}
