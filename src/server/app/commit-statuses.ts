import { names, type Provider } from '#core/names.ts'
import { backoff } from '#kit/backoff.ts'
import { later } from '#kit/brand.ts'
import {
  type CommitStatusRow,
  type NewStatus,
  putStatus,
  releaseStatuses,
  settleStatus,
  statusesOfRevision,
  takeStatuses,
} from '#server/store/commit-statuses.ts'
import type { EventRow } from '#server/store/events.ts'
import { jobById } from '#server/store/jobs.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import { workflowWithNumber } from '#server/store/workflows.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { type CommitStatus, sendStatus } from '#server/vcs/providers/repository.ts'
import { buildUrl, workflowUrl } from './addresses.ts'
import { connectionFor, isConnected } from './connections.ts'
import { settingsOf } from './project-settings.ts'
import type { World } from './world.ts'

/*
 * Providers are told how commits stand: kept with what happened, sent by a loop of its own, tried again for more than a day. A provider
 * that is down loses nothing and holds up nobody.
 */

const takenMs = 60_000
/** With waits that double up to an hour: about a day and a half. */
const mostAttempts = 45

type Word = CommitStatus['status']

const wordOf = (ending: string): Word =>
  ending === 'success' ? 'success' : ending === 'canceled' ? 'error' : 'failure'

/** Whether a project's provider is told of its workflows, of its jobs. */
async function wishOf(world: World, tx: Tx, project: ProjectRow) {
  const { setGithubStatus, statusesOf } = settingsOf(project)
  // Nearly all projects are hosted here, or say nothing: that must cost nothing.
  if (project.url === null || !setGithubStatus || !(await isConnected(world, tx, project))) return undefined
  return { workflows: statusesOf !== 'jobs', jobs: statusesOf !== 'workflows' }
}

/** Keeps that a workflow has begun, in the transaction in which it does. */
export async function keepBegun(
  world: World,
  tx: Tx,
  of: { readonly project: string; readonly pipeline: string; readonly id: string; readonly name: string },
): Promise<void> {
  const project = await projectById(tx, { id: of.project })
  const wish = project && (await wishOf(world, tx, project))
  if (!project || !wish?.workflows) return
  const pipeline = await pipelineById(tx, { id: of.pipeline })
  if (!pipeline) return
  const url = workflowUrl(world, project, pipeline.number, of.id)
  await putStatus(
    tx,
    statusRow(world, project, pipeline, of.name, 'pending', 'The workflow is running', url),
    world.now(),
  )
}

/** What a provider is to be told because of an event. */
export async function statusesOf(world: World, event: EventRow): Promise<readonly NewStatus[]> {
  const project = await projectById(world.db, { id: event.project_id })
  const wish = project && (await wishOf(world, world.db as Tx, project))
  const isOfJob = event.job_id !== null
  if (!project || !wish || !(isOfJob ? wish.jobs : wish.workflows)) return []
  const pipeline = await pipelineById(world.db, { id: event.pipeline_id })
  const workflow = await workflowWithNumber(world.db, { id: event.workflow_id })
  if (!pipeline || !workflow) return []
  const words = `The ${isOfJob ? 'job' : 'workflow'} ended: ${event.status.replaceAll('_', ' ')}`
  if (event.job_id === null) {
    const url = workflowUrl(world, project, pipeline.number, workflow.id)
    return [statusRow(world, project, pipeline, workflow.name, wordOf(event.status), words, url)]
  }
  const job = await jobById(world.db, { id: event.job_id })
  if (!job || job.kind !== 'build') return []
  const url =
    job.number === null
      ? workflowUrl(world, project, pipeline.number, workflow.id)
      : buildUrl(world, project, job.number)
  return [statusRow(world, project, pipeline, `${workflow.name}/${job.name}`, wordOf(event.status), words, url)]
}

const statusRow = (
  { terms }: World,
  project: ProjectRow,
  pipeline: PipelineRow,
  name: string,
  status: Word,
  description: string,
  url: string,
): NewStatus => ({
  project_id: project.id,
  revision: pipeline.revision,
  context: `${names[terms.dialect].statusPrefix}: ${name}`.slice(0, 255),
  provider: project.provider,
  status,
  description,
  url,
})

/** Takes what is due for a provider. */
export async function takeDueStatuses(
  world: World,
  provider: Provider,
  most: number,
): Promise<readonly CommitStatusRow[]> {
  const now = world.now()
  return world.db.transaction().execute((tx) => takeStatuses(tx, provider, now, later(now, takenMs), most))
}

/** Sends one, and writes down what came of it. */
export async function deliverStatus(world: World, row: CommitStatusRow, signal: AbortSignal): Promise<void> {
  const failure = await attempt(world, row, signal)
  if (signal.aborted) return
  const at = world.now()
  const attempts = row.attempts + 1
  const isOver = failure !== undefined && (failure.isFinal || attempts >= mostAttempts)
  if (failure)
    world.log.warn('A commit status cannot be sent', { project: row.project_id, attempts, error: failure.message })
  const to = {
    state: failure === undefined ? 'sent' : isOver ? 'dead' : 'pending',
    attempts,
    next_at: later(at, failure?.retryMs ?? backoff(attempts, 5_000, 3_600_000)),
    taken_until: null,
    status_code: failure === undefined ? 200 : (failure.status ?? null),
    error: failure?.message.slice(0, 500) ?? null,
    updated_at: at,
  }
  await world.db.transaction().execute((tx) => settleStatus(tx, row, to))
}

async function attempt(world: World, row: CommitStatusRow, signal: AbortSignal): Promise<ProviderFailure | undefined> {
  const project = await projectById(world.db, { id: row.project_id })
  const connection = project && (await connectionFor(world, project))
  if (!connection) return new ProviderFailure('Cannot send a commit status: the project is not connected', 403)
  try {
    await sendStatus(
      connection.terms,
      connection.token,
      connection.repository,
      { ...row, status: row.status as Word },
      signal,
    )
    return undefined
  } catch (error) {
    if (error instanceof ProviderFailure) return error
    throw error
  }
}

/** After the death of the only server: what it was sending is sent again at once. */
export const resumeStatuses = (world: World): Promise<void> => world.db.transaction().execute(releaseStatuses)

/** What the provider of a project was told, or is to be told, of a commit. */
export const toldOf = (world: World, project: ProjectRow, revision: string): Promise<readonly CommitStatusRow[]> =>
  statusesOfRevision(world.db, project.id, revision)
