import { jobEventWord, workflowEventWord } from '#core/status-words.ts'
import type { Outcome } from '#core/job.ts'
import type { WorkflowStatus } from '#core/workflow-status.ts'
import type { EventRow } from '#server/store/events.ts'
import { jobById } from '#server/store/jobs.ts'
import { organizationById, userById } from '#server/store/people.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { WebhookRow } from '#server/store/webhooks.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import type { WorkflowId } from '#core/ids.ts'
import { countPushed } from './commits.ts'
import { longSlugOf, providerOf, vcsUrl, workflowUrl } from './addresses.ts'
import type { Revision, Revisions } from './revisions.ts'
import { originUrl } from './pull-requests.ts'
import { triggerParameters, triggerWord } from './trigger-parameters.ts'
import type { World } from './world.ts'

/** What an event tells, without the webhook it goes to; nothing where none is sent for such an ending (§6). */
export async function payloadOf(
  world: World,
  findRevision: Revisions,
  event: EventRow,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const status =
    event.kind === 'job-completed'
      ? jobEventWord[event.status as Outcome]
      : workflowEventWord[event.status as WorkflowStatus]
  const project = await projectById(world.db, { id: event.project_id })
  const pipeline = await pipelineById(world.db, { id: event.pipeline_id })
  const stored = await findWorkflow(world.db, event.workflow_id as WorkflowId)
  if (status === undefined || !project || !pipeline || !stored) return undefined
  const organization = await organizationById(world.db, { id: project.organization_id })
  const job = event.job_id === null ? undefined : await jobById(world.db, { id: event.job_id })
  // Canceled before it was ever queued: it has no number, without which no job is told of, and its workflow tells the rest.
  if (job && job.number === null) return undefined
  const { row } = stored
  return {
    type: event.kind,
    id: event.id,
    happened_at: event.created_at,
    ...(job && {
      job: {
        id: job.id,
        name: job.name,
        number: job.number,
        status,
        started_at: job.started_at ?? job.created_at,
        ...(job.stopped_at !== null && { stopped_at: job.stopped_at }),
      },
    }),
    workflow: {
      id: row.id,
      name: row.name,
      ...(!job && { status }),
      created_at: row.created_at,
      ...(!job && row.stopped_at !== null && { stopped_at: row.stopped_at }),
      url: workflowUrl(world, project, pipeline.number, row.id),
    },
    pipeline: await pipelinePart(world, findRevision, project, pipeline),
    project: { id: project.id, name: project.name, slug: longSlugOf(world, project) },
    organization: { id: organization?.id, name: organization?.name },
  }
}

async function pipelinePart(world: World, findRevision: Revisions, project: ProjectRow, pipeline: PipelineRow) {
  const type = triggerWord(world, project, pipeline)
  const revision = await findRevision(project, pipeline.revision).catch(() => undefined)
  return {
    id: pipeline.id,
    number: pipeline.number,
    created_at: pipeline.created_at,
    trigger: { type },
    ...(project.provider === 'provider-c'
      ? { trigger_parameters: await triggerPart(world, project, pipeline, revision) }
      : { vcs: vcsPart(world, project, pipeline, revision) }),
  }
}

async function triggerPart(world: World, project: ProjectRow, pipeline: PipelineRow, revision: Revision | undefined) {
  const actor = pipeline.actor_id === null ? undefined : await userById(world.db, { id: pipeline.actor_id })
  const commitCount = revision && (await countPushed(world, project, pipeline))
  return triggerParameters(world, project, pipeline, { revision, actor, commitCount })
}

function vcsPart(world: World, project: ProjectRow, pipeline: PipelineRow, revision: Revision | undefined) {
  const commit = revision?.commit
  return {
    provider_name: providerOf(world, project).long,
    origin_repository_url: originUrl(world, project, pipeline),
    target_repository_url: vcsUrl(world, project),
    revision: pipeline.revision,
    ...(commit && {
      commit: {
        subject: commit.subject,
        body: commit.body,
        author: { name: commit.author.name, email: commit.author.email },
        authored_at: commit.author.date,
        committer: { name: commit.committer.name, email: commit.committer.email },
        committed_at: commit.committer.date,
      },
    }),
    ...(pipeline.branch !== null && { branch: pipeline.branch }),
    ...(pipeline.tag !== null && { tag: pipeline.tag }),
  }
}

/** The text that is sent and signed: written once, so that every attempt is the same to the byte. */
export const bodyFor = (
  webhook: Pick<WebhookRow, 'id' | 'name'>,
  payload: Readonly<Record<string, unknown>>,
): string => {
  const { type, id, happened_at, ...rest } = payload
  return JSON.stringify({ type, id, happened_at, webhook: { id: webhook.id, name: webhook.name }, ...rest })
}
