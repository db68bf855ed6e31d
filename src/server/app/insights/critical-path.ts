import { criticalPath, type PathStep, type RanJob, type WaitedFor } from '#core/insights/critical-path.ts'
import type { Job, JobKind } from '#core/job.ts'
import type { Instant } from '#kit/brand.ts'
import { nodesOf } from '#server/store/nodes.ts'
import type { App } from '#server/app/app.ts'
import type { StoredWorkflow } from '#server/app/find.ts'

/** A job on the critical path, and how long each of its nodes ran where it has several: the longest of them decided. */
export interface PathJob extends PathStep {
  readonly nodes: readonly number[] | undefined
}

/** The jobs that decided how long a workflow took; of one that still runs, so far. */
export async function criticalPathOf({ world }: App, { workflow, row }: StoredWorkflow): Promise<readonly PathJob[]> {
  const now = (row.stopped_at as Instant | null) ?? world.now()
  const path = criticalPath(
    workflow.jobs.flatMap((job) => timesOf(job, now)),
    Date.parse(row.created_at),
  )
  const parallel = new Set(workflow.jobs.flatMap(({ id, parallelism }) => (parallelism > 1 ? [id as string] : [])))
  return Promise.all(
    path.map(async (step) => ({ ...step, nodes: parallel.has(step.id) ? await nodeTimes(step.id) : undefined })),
  )

  async function nodeTimes(job: string): Promise<readonly number[]> {
    return (await nodesOf(world.db, { job })).map(({ started_at, stopped_at }) =>
      started_at === null ? 0 : Math.max(0, Date.parse(stopped_at ?? now) - Date.parse(started_at)),
    )
  }
}

const waitsFor: Readonly<Record<JobKind, WaitedFor>> = {
  build: 'agent',
  approval: 'person',
  lock: 'serial-group',
  unlock: 'agent',
  'no-op': 'agent',
  release: 'agent',
}

/** Nothing for what ran in another workflow, and for what had no turn. */
function timesOf(job: Job, now: Instant): readonly RanJob[] {
  const { id, name, kind, status, retryOf, queuedAt, startedAt, stoppedAt, reusedFrom } = job
  const waited = queuedAt !== undefined || (kind === 'approval' && (status === 'on_hold' || stoppedAt !== undefined))
  if (reusedFrom !== undefined || (startedAt === undefined && !waited)) return []
  const stopped = Date.parse(stoppedAt ?? now)
  const started = startedAt === undefined ? stopped : Date.parse(startedAt)
  const ready = kind === 'approval' ? undefined : Date.parse(queuedAt ?? startedAt ?? now)
  const needs = [...job.needs.map((need) => need.job), ...(retryOf === undefined ? [] : [retryOf])]
  return [{ id, name, needs, waitedFor: waitsFor[kind], ready, started, stopped }]
}
