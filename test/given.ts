import type { AgentId, JobId, PipelineId, ProjectId, UserId, WorkflowId } from '#core/ids.ts'
import type { JobBody } from '#core/plan.ts'
import { workflow } from '#core/play.ts'
import { newAgent, registerAgent, workingAgent } from '#server/app/agents.ts'
import { type Claimed, claimJobs } from '#server/app/assignments.ts'
import { beginWorkflow } from '#server/app/begin-workflow.ts'
import type { User } from '#server/app/callers.ts'
import { type Ending, finishJob } from '#server/app/finish-job.ts'
import { jobBodies } from '#server/app/job-details.ts'
import { ensureAdmin } from '#server/app/people.ts'
import { projectForPush } from '#server/app/projects.ts'
import { hashToken } from '#server/app/seal.ts'
import { createPipeline } from '#server/app/trigger.ts'
import { tell, type Told } from '#server/app/workflows.ts'
import type { AgentRow } from '#server/store/agents.ts'
import { leaseByToken, type LeaseRow } from '#server/store/leases.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { keepText } from '#server/store/texts.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import type { SmallWorld } from './world.ts'

/*
 * How tests of use cases begin: a person, a project, a workflow told in one line for each job (`core/play.ts`), an agent.
 */

/** The token of the person who does everything. */
export const adaToken = 'token-of-ada-0123456789'

/** The person who does everything. */
export async function ada({ world, app }: SmallWorld): Promise<User> {
  await ensureAdmin(world, 'ada', adaToken)
  const caller = await app.callers.find(adaToken)
  if (caller.kind !== 'user') throw new TypeError(`Cannot be ada: the token opens ${caller.kind}`)
  return caller
}

/** A project with an empty repository of its own. */
export async function givenProject(it: SmallWorld, name = 'web'): Promise<ProjectRow> {
  return projectForPush(it.world, await ada(it), 'acme', name)
}

const step = (name: string) =>
  ({
    type: 'run',
    name,
    when: 'on_success',
    command: 'true',
    environment: [],
    background: false,
    noOutputTimeoutMs: 600_000,
  }) as const

/** What every job does: two steps. */
export const twoSteps: JobBody = {
  executor: { type: 'machine', dockerLayerCaching: false },
  parallelism: 1,
  environment: [],
  workingDirectory: '~/project',
  steps: [step('first'), step('second')],
}

/** A workflow that has begun, and the ids of its jobs by name. */
export interface Given {
  readonly id: WorkflowId
  readonly pipeline: PipelineId
  readonly project: ProjectRow
  readonly jobs: Readonly<Record<string, JobId>>
}

/**
 * Begins a workflow, told in one line for each job, in a pipeline of its own; a name before `@` is that of its resource class,
 * `build*3` has three nodes.
 */
export const givenWorkflow = async (it: SmallWorld, ...lines: readonly string[]): Promise<Given> =>
  givenWorkflowOf(it, await givenProject(it), ...lines)

/** The same in another project. */
export async function givenWorkflowOf(it: SmallWorld, project: ProjectRow, ...told: readonly string[]): Promise<Given> {
  const { world } = it
  const nodes = told.map((line) => Number(/\*(\d+)/.exec(line)?.[1] ?? 1))
  const lines = told.map((line) => line.replace(/\*\d+/, ''))
  const classes = lines.map((line) => (line.includes('@') ? line.slice(0, line.indexOf('@')) : 'medium'))
  const planned = workflow(...lines.map((line) => line.slice(line.indexOf('@') + 1))).jobs
  const ids = new Map(planned.map(({ id }) => [id, world.newId() as JobId]))
  const renamed = (id: JobId): JobId => ids.get(id) ?? id
  const events: Told[] = []
  const made = await world.db.transaction().execute(async (tx) => {
    const bodyHash = await keepText(tx, JSON.stringify(twoSteps))
    const target = { revision: '1'.repeat(40), branch: 'main', tag: null }
    const row = await createPipeline(world, tx, project, {
      ...target,
      type: 'webhook',
      actor: null,
      parameters: {},
      options: {},
    })
    const jobs = planned.map((job, i) => {
      const needs = job.needs.map((need) => ({ ...need, job: renamed(need.job) }))
      return {
        job: { ...job, id: renamed(job.id), needs, resourceClass: classes[i] ?? 'medium', parallelism: nodes[i] ?? 1 },
        bodyHash,
        why: 'push',
      }
    })
    const about = { project: project.id as ProjectId, branch: 'main', name: 'main', startedBy: null as UserId | null }
    const id = await beginWorkflow(world, tx, { ...about, pipeline: row.id as PipelineId, jobs }, world.now(), events)
    return { id, pipeline: row.id as PipelineId }
  })
  tell(world, events)
  return { ...made, project, jobs: Object.fromEntries(planned.map(({ id, name }) => [name, renamed(id)])) }
}

/** An agent at work, for all resource classes unless some are named. */
export async function givenAgent({ world }: SmallWorld, ...resourceClasses: readonly string[]): Promise<AgentRow> {
  const { agent } = await newAgent(world, 'agent')
  await registerAgent(world, agent, { instance: 'first', name: 'agent', version: '1', slots: 10, resourceClasses })
  return workingAgent(world, agent as AgentId, 'first')
}

/** A job in the hands of an agent. */
export interface Held extends Claimed {
  readonly lease: LeaseRow
}

/** Lets an agent take jobs. */
export async function claim({ world }: SmallWorld, agent: AgentRow, free = 1): Promise<readonly Held[]> {
  const claimed = await claimJobs(world, agent, free)
  return Promise.all(claimed.map(async (one) => ({ ...one, lease: await heldBy(world, one.token) })))
}

async function heldBy(world: SmallWorld['world'], token: string): Promise<LeaseRow> {
  const lease = await leaseByToken(world.db, { hash: hashToken(token) })
  if (!lease) throw new TypeError('Cannot find the lease of a job that was just taken')
  return lease
}

/** An agent ends a job. */
export async function end(
  { world }: SmallWorld,
  { lease }: Held,
  outcome: Ending['outcome'] = 'success',
): Promise<void> {
  await finishJob(world, jobBodies(world.db), lease, { outcome, reason: null, steps: [] })
}

/** How the jobs of a workflow stand, in order: `build success`; and at last the workflow itself. */
export async function storyOf({ world }: SmallWorld, id: WorkflowId): Promise<readonly string[]> {
  const stored = await findWorkflow(world.db, id)
  return stored ? [...stored.jobs.map(({ name, status }) => `${name} ${status}`), stored.workflow.status] : []
}
