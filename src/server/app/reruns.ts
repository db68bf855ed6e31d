import type { JobId, PipelineId, ProjectId, UserId, WorkflowId } from '#core/ids.ts'
import { rerun, type RerunRequest, retryJob } from '#core/rerun.ts'
import { orNotFound } from '#kit/refusal.ts'
import {
  findWorkflow,
  type JobRow,
  lockWorkflow,
  type StoredWorkflow,
  type WorkflowRow,
} from '#server/store/workflows.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import type { Tx } from '#server/store/schema.ts'
import { beginWorkflow, type Making } from './begin-workflow.ts'
import { denials } from './context-use.ts'
import { tell, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** Runs a workflow again, whole or in part, as a new workflow of the same pipeline. */
export async function rerunWorkflow(
  world: World,
  by: UserId,
  id: WorkflowId,
  request: RerunRequest,
  onlyFailedTests = false,
): Promise<WorkflowId> {
  const choose: Choose = async (tx, stored, use) => {
    const root =
      stored.row.root_id === stored.row.id
        ? stored.row
        : (await findWorkflow(tx, stored.row.root_id as WorkflowId))?.row
    const denialOf = await denials(
      world,
      tx,
      { ...use, actor: by },
      stored.workflow.jobs.flatMap(({ contexts }) => contexts),
    )
    const terms = { at: world.now(), reruns: root?.reruns ?? 0, newId: () => world.newId() as JobId, denialOf }
    const rows = rowsOf(stored)
    return rerun(stored.workflow, request, terms).map(({ job, from }) => ({
      job,
      bodyHash: rows.get(from)?.body_hash ?? null,
      why: 'retry',
      ...(job.kind === 'build' && job.reusedFrom === undefined && { retryOf: from }),
    }))
  }
  return again(world, by, id, choose, { onlyFailedTests })
}

/** Runs one build again, alone: the retry of generation 1.1. Says the id of the new job. */
export async function retryBuild(world: World, by: UserId | null, build: JobRow): Promise<JobId> {
  const id = world.newId() as JobId
  await again(world, by, build.workflow_id as WorkflowId, async (tx, stored, use) => {
    const denialOf = await denials(world, tx, { ...use, actor: by }, JSON.parse(build.contexts) as string[])
    const from = build.id as JobId
    const ids = [id]
    const newId = () => ids.pop() ?? (world.newId() as JobId)
    return retryJob(stored.workflow, from, { newId, denialOf }).map(({ job }) =>
      job.kind === 'build'
        ? { job, bodyHash: build.body_hash, why: 'retry', retryOf: from }
        : { job, bodyHash: null, why: 'retry' },
    )
  })
  return id
}

const rowsOf = (stored: StoredWorkflow) => new Map(stored.jobs.map((job) => [job.id, job]))

interface Around {
  readonly project: ProjectRow
  readonly pipeline: PipelineRow
}

type Choose = (tx: Tx, stored: StoredWorkflow, around: Around) => Promise<Making['jobs']>

async function again(
  world: World,
  by: UserId | null,
  id: WorkflowId,
  choose: Choose,
  more: Pick<Making, 'onlyFailedTests'> = {},
): Promise<WorkflowId> {
  const told: Told[] = []
  const made = await world.db.transaction().execute(async (tx) => {
    told.length = 0
    const stored = orNotFound(await lockWorkflow(tx, id), 'Workflow')
    const project = orNotFound(await projectById(tx, { id: stored.row.project_id }), 'Project')
    const pipeline = orNotFound(await pipelineById(tx, { id: stored.row.pipeline_id }), 'Pipeline')
    const making = makingOf(stored.row, pipeline, by, await choose(tx, stored, { project, pipeline }))
    return beginWorkflow(world, tx, { ...making, ...more }, world.now(), told)
  })
  tell(world, told)
  return made
}

function makingOf(row: WorkflowRow, pipeline: PipelineRow, by: UserId | null, jobs: Making['jobs']): Making {
  return {
    pipeline: row.pipeline_id as PipelineId,
    project: row.project_id as ProjectId,
    branch: pipeline.branch,
    name: row.name,
    tag: row.tag === 'setup' ? row.tag : null,
    startedBy: by,
    rerunOf: { id: row.id, root: row.root_id },
    jobs,
  }
}
