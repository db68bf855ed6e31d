import type { JobId, PipelineId, ProjectId, UserId, WorkflowId } from '#core/ids.ts'
import type { JobBody } from '#core/plan.ts'
import { rerun, type RerunRequest, retryJob } from '#core/rerun.ts'
import { withSsh } from '#core/with-ssh.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
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
import { insertSshUser } from '#server/store/ssh-users.ts'
import { keepText, textOf } from '#server/store/texts.ts'
import { beginWorkflow, type Making } from './begin-workflow.ts'
import { denials } from './context-use.ts'
import { checkApproved } from './fork-approval.ts'
import { checkSsh, settingsOf } from './project-settings.ts'
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
    if (request.enableSsh === true) checkSsh(use.project)
    const { disableSsh } = settingsOf(use.project)
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
    return rerun(stored.workflow, request, terms).map(({ job, from, ssh }) => {
      const isRun = job.kind === 'build' && job.reusedFrom === undefined
      // Where somebody could come in, they can in what is run again of it.
      const isOpen = isRun && !disableSsh && (ssh || rows.get(from)?.why === 'ssh')
      return {
        job,
        bodyHash: rows.get(from)?.body_hash ?? null,
        noTests: rows.get(from)?.no_tests === 1,
        why: isOpen ? 'ssh' : 'retry',
        ...(isRun && { retryOf: from }),
      }
    })
  }
  return again(world, by, id, choose, { onlyFailedTests })
}

/** How a build is run again: with SSH, without what caches hold. */
export interface RetryWish {
  readonly why?: 'retry' | 'ssh'
  readonly withoutCache?: boolean
}

/** Runs one build again, alone: the retry of generation 1.1. Says the id of the new job. */
export async function retryBuild(
  world: World,
  by: UserId | null,
  build: JobRow,
  { why = 'retry', withoutCache = false }: RetryWish = {},
): Promise<JobId> {
  const id = world.newId() as JobId
  await again(world, by, build.workflow_id as WorkflowId, async (tx, stored, use) => {
    if (why === 'ssh') checkSsh(use.project)
    const wasOpen = build.why === 'ssh' && !settingsOf(use.project).disableSsh
    const denialOf = await denials(world, tx, { ...use, actor: by }, JSON.parse(build.contexts) as string[])
    const from = build.id as JobId
    const ids = [id]
    const newId = () => ids.pop() ?? (world.newId() as JobId)
    const bodyHash = await cachingBody(tx, build.body_hash, withoutCache)
    return retryJob(stored.workflow, from, { newId, denialOf }).map(({ job }) =>
      job.kind === 'build'
        ? { job, bodyHash, why: wasOpen ? 'ssh' : why, retryOf: from, noTests: build.no_tests === 1 }
        : { job, bodyHash: null, why: 'retry' },
    )
  })
  return id
}

/** The body of a build that is run again, with caches or without: what one retry wanted is not the wish of the next. */
async function cachingBody(tx: Tx, hash: string | null, wanted: boolean): Promise<string | null> {
  if (hash === null) return null
  const { withoutCache = false, ...body } = JSON.parse(await textOf(tx, hash)) as JobBody
  if (withoutCache === wanted) return hash
  return keepText(tx, JSON.stringify(wanted ? { ...body, withoutCache: true } : body))
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
    await checkApproved(tx, pipeline)
    const chosen = await choose(tx, stored, { project, pipeline })
    if (chosen.some(({ job, bodyHash }) => job.kind === 'build' && bodyHash === null && job.reusedFrom === undefined))
      throw new Refusal('invalid', 'Cannot run this again: it never ran')
    const jobs = await withSshBodies(tx, chosen)
    const making = { ...makingOf(stored.row, pipeline, by, jobs), ...more }
    const begun = await beginWorkflow(world, tx, making, world.now(), told)
    for (const { job, why } of jobs) if (why === 'ssh' && by) await insertSshUser(tx, job.id, by, world.now())
    return begun
  })
  tell(world, told)
  return made
}

/** Gives the jobs that run with SSH the steps for it. */
async function withSshBodies(tx: Tx, jobs: Making['jobs']): Promise<Making['jobs']> {
  const made: Making['jobs'][number][] = []
  for (const one of jobs) {
    if (one.why !== 'ssh' || one.bodyHash === null) made.push(one)
    else {
      const body = JSON.parse(await textOf(tx, one.bodyHash)) as JobBody
      made.push({ ...one, bodyHash: await keepText(tx, JSON.stringify(withSsh(body))) })
    }
  }
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
