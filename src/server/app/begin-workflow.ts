import type { JobId, PipelineId, ProjectId, UserId, WorkflowId } from '#core/ids.ts'
import type { Job } from '#core/job.ts'
import { newWorkflow } from '#core/new-workflow.ts'
import { decide } from '#core/workflow.ts'
import type { Instant } from '#kit/brand.ts'
import { appendEvents } from '#server/store/events.ts'
import { insertWorkflow, type NewJob } from '#server/store/new-workflows.ts'
import type { Tx } from '#server/store/schema.ts'
import { recordFacts } from './record-facts.ts'
import { keepStatuses } from './keep-statuses.ts'
import { keepPlaces } from './serial-places.ts'
import type { Told } from './workflows.ts'
import type { World } from './world.ts'

/** What a workflow is made of, beside the rules' view of its jobs. */
export interface Making {
  readonly pipeline: PipelineId
  readonly project: ProjectId
  readonly branch: string | null
  readonly name: string
  readonly tag?: 'setup' | null
  readonly startedBy: UserId | null
  /** Of a rerun: `tests run` in it runs only what failed before. */
  readonly onlyFailedTests?: boolean
  readonly rerunOf?: { readonly id: string; readonly root: string }
  readonly jobs: readonly {
    readonly job: Job
    readonly bodyHash: string | null
    readonly why: string
    readonly retryOf?: JobId
    /** Its configuration has no test to run. */
    readonly noTests?: boolean
  }[]
}

/** Makes a workflow and begins it, in the transaction that decides that there is one. */
export async function beginWorkflow(
  world: World,
  tx: Tx,
  making: Making,
  at: Instant,
  told: Told[],
): Promise<WorkflowId> {
  const id = world.newId() as WorkflowId
  const before = newWorkflow(
    id,
    making.name,
    making.jobs.map(({ job }) => job),
    at,
  )
  const { workflow, events } = decide(before, { type: 'begin' }, at)
  const row = {
    id,
    pipeline_id: making.pipeline,
    project_id: making.project,
    name: making.name,
    status: workflow.status,
    created_at: at,
    stopped_at: workflow.stoppedAt ?? null,
    started_by: making.startedBy,
    canceled_by: null,
    errored_by: null,
    rerun_of: making.rerunOf?.id ?? null,
    root_id: making.rerunOf?.root ?? id,
    reruns: 0,
    tag: making.tag ?? null,
    only_failed_tests: making.onlyFailedTests === true ? 1 : 0,
  } as const
  const extra = new Map(making.jobs.map((made) => [made.job.id, made]))
  const jobs = workflow.jobs.map((job): NewJob => {
    const made = extra.get(job.id)
    return {
      job,
      bodyHash: made?.bodyHash ?? null,
      why: made?.why ?? '',
      retryOf: made?.retryOf ?? null,
      noTests: made?.noTests === true,
    }
  })
  await insertWorkflow(tx, row, jobs, making.branch)
  await appendEvents(tx, row, events, world.newId)
  await recordFacts(world, tx, { ...row, branch: making.branch }, workflow, events)
  const serial = await keepPlaces(tx, row, undefined, workflow)
  const { project, pipeline } = making
  const says = await keepStatuses(world, tx, { project, pipeline, before: undefined, after: workflow, rows: [] })
  told.push({ stored: { row, jobs: [], workflow }, events, agents: [], serial, ...(says && { topics: ['statuses'] }) })
  return id
}
