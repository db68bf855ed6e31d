import type { Project } from '#contract/v2/project.ts'
import type { Pipeline } from '#contract/v2/pipeline.ts'
import type { User } from '#contract/v2/user.ts'
import type { Variable } from '#contract/v2/variable.ts'
import type { Webhook } from '#contract/v2/webhook.ts'
import type { Workflow, WorkflowJob } from '#contract/v2/workflow.ts'
import type { JobStatus } from '#core/job.ts'
import { systemActor } from '#core/names.ts'
import { jobWord, workflowWord } from '#core/status-words.ts'
import type { WorkflowStatus } from '#core/workflow-status.ts'
import { organizationSlug, providerOf, slugOf, vcsUrl } from '#server/app/addresses.ts'
import type { JobRow, PipelineFacts, PipelineRow, ProjectRow, StoredWorkflow, UserRow } from '#server/app/find.ts'
import type { MaskedVariable } from '#server/app/variables.ts'
import type { WebhookRow } from '#server/app/webhooks.ts'
import { originUrl, pullRequestsOf } from '#server/app/pull-requests.ts'
import type { World } from '#server/app/world.ts'
import { inSeconds, inSecondsOrNull } from './times.ts'

/** Our words in the words of generation 2; optional fields are left out when there is nothing to say. */

export const userView = (user: UserRow): User => ({
  id: user.id,
  login: user.login,
  name: user.name,
  ...(user.avatar_url !== null && { avatar_url: user.avatar_url }),
})

export const variableView = ({ name, value, createdAt }: MaskedVariable): Variable => ({
  name,
  value,
  'created-at': createdAt,
  created_at: createdAt,
})

export const projectView = (world: World, project: ProjectRow): Project => ({
  slug: slugOf(world, project),
  name: project.name,
  id: project.id,
  organization_name: project.organization,
  organization_slug: organizationSlug(world, { ...project, name: project.organization }),
  organization_id: project.organization_id,
  vcs_info: {
    vcs_url: vcsUrl(world, project),
    provider: providerOf(world, project).display,
    default_branch: project.default_branch,
  },
})

export function pipelineView(world: World, { project, pipeline, actor, revision }: PipelineFacts): Pipeline {
  const url = vcsUrl(world, project)
  const [review] = pullRequestsOf(world, project, pipeline)
  return {
    id: pipeline.id,
    errors: JSON.parse(pipeline.errors) as Pipeline['errors'],
    project_slug: slugOf(world, project),
    updated_at: pipeline.updated_at,
    number: pipeline.number,
    state: pipeline.state as Pipeline['state'],
    created_at: pipeline.created_at,
    trigger: {
      type: pipeline.trigger_type as Pipeline['trigger']['type'],
      received_at: pipeline.received_at,
      actor: { login: actor?.login ?? systemActor.login, avatar_url: actor?.avatar_url ?? null },
    },
    vcs: {
      provider_name: providerOf(world, project).display,
      target_repository_url: url,
      origin_repository_url: originUrl(world, project, pipeline),
      revision: pipeline.revision,
      ...(pipeline.branch !== null && { branch: pipeline.branch }),
      ...(pipeline.tag !== null && { tag: pipeline.tag }),
      ...(review && { review_id: String(review.number), review_url: review.url }),
      ...(revision && { commit: { subject: revision.commit.subject, body: revision.commit.body } }),
    },
  }
}

export const workflowView = (
  world: World,
  project: ProjectRow,
  pipeline: Pick<PipelineRow, 'id' | 'number'>,
  row: StoredWorkflow['row'],
): Workflow => ({
  id: row.id,
  name: row.name,
  pipeline_id: pipeline.id,
  pipeline_number: pipeline.number,
  project_slug: slugOf(world, project),
  status: workflowWord[row.status as WorkflowStatus],
  started_by: row.started_by ?? systemActor.id,
  ...(row.tag === 'setup' && { tag: row.tag }),
  ...(row.canceled_by !== null && { canceled_by: row.canceled_by }),
  ...(row.errored_by !== null && { errored_by: row.errored_by }),
  created_at: inSeconds(row.created_at),
  stopped_at: inSecondsOrNull(row.stopped_at),
})

/** `number` is that of the job which really ran, where this one stands for it. */
export const workflowJobView = (
  world: World,
  project: ProjectRow,
  job: JobRow,
  number: number | null,
): WorkflowJob => ({
  id: job.id,
  name: job.name,
  ...(number !== null && { job_number: number }),
  project_slug: slugOf(world, project),
  status: jobWord[job.status as JobStatus],
  type: job.kind === 'approval' ? 'approval' : 'build',
  started_at: inSecondsOrNull(job.started_at),
  stopped_at: inSecondsOrNull(job.stopped_at),
  dependencies: (JSON.parse(job.needs) as { readonly job: string }[]).map((need) => need.job),
  ...(job.kind === 'approval' && { approval_request_id: job.id }),
  ...(job.approved_by !== null && { approved_by: job.approved_by }),
  ...(job.canceled_by !== null && { canceled_by: job.canceled_by }),
})

/** What stands in the place of a secret that is never told. */
export const secretMask = '****'

export const webhookView = (row: WebhookRow): Webhook => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: JSON.parse(row.events) as Webhook['events'],
  scope: { id: row.project_id, type: 'project' },
  'verify-tls': row.verify_tls === 1,
  verify_tls: row.verify_tls === 1,
  'signing-secret': secretMask,
  signing_secret: secretMask,
  'created-at': row.created_at,
  created_at: row.created_at,
  'updated-at': row.updated_at,
  updated_at: row.updated_at,
})
