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
  for await (const { branch, status, numbers } of scanRuns(db, { project, workflow, ...window })) {
    if (branches !== undefined && !branches.has(branch)) continue
    for (let i = 0; i < numbers.length; i += 3) {
      runs.push({
        started: numbers[i] ?? 0,
        duration: numbers[i + 1] ?? 0,
        status: status as RunStatus,
        credits: numbers[i + 2] ?? 0,
        branch,
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
  for await (const group of scanJobs(db, { project, workflow, ...window })) {
    const { name, branch, status, resource_class: resourceClass, numbers } = group
    if (branches !== undefined && !branches.has(branch)) continue
    for (let i = 0; i < numbers.length; i += 5) {
      runs.push({
        name,
        started: numbers[i] ?? 0,
        duration: numbers[i + 1] ?? null,
        status: status as RunStatus,
        credits: numbers[i + 2] ?? 0,
        branch,
        queued: numbers[i + 3] ?? 0,
        resourceClass,
        nodes: numbers[i + 4] ?? 1,
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
