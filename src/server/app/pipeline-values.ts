import { names, type Provider, systemActor } from '#core/names.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { cloneUrl } from './addresses.ts'
import type { Revision } from './revisions.ts'
import type { PipelineOptions } from './trigger.ts'
import type { World } from './world.ts'

/** The values that a configuration may use as `pipeline.*`; those of a commit only where it is known. */
export function pipelineValues(
  world: World,
  project: ProjectRow,
  pipeline: PipelineRow,
  { commit, configPath }: Partial<Revision> = {},
) {
  const { providers, triggerMap } = names[world.terms.dialect]
  const provider = providers[project.provider as Provider]
  const url = cloneUrl(world, project)
  const options = JSON.parse(pipeline.options) as PipelineOptions
  const { source } = options
  return {
    id: pipeline.id,
    number: pipeline.number,
    integration_source: provider.long,
    'project.id': project.id,
    'project.git_url': url,
    'project.type': provider.long,
    'project.slug': `${provider.short}/${project.organization}/${project.name}`,
    'organization.id': project.organization_id,
    'git.branch': pipeline.branch ?? undefined,
    'git.branch.is_default': pipeline.branch === project.default_branch,
    'git.tag': pipeline.tag ?? undefined,
    'git.revision': pipeline.revision,
    'git.base_revision': pipeline.base_revision ?? undefined,
    'git.repo_url': url,
    'git.repo_owner': project.organization,
    'git.repo_name': project.name,
    'git.repo_id': project.id,
    'git.commit.subject': commit?.subject,
    'git.commit.body': commit?.body,
    'git.commit.author_name': commit?.author.name,
    'git.commit.author_email': commit?.author.email,
    'config.file_path': source?.path ?? configPath ?? undefined,
    'config.repository.name': project.name,
    'config.repository.url': url,
    'config.ref': source?.ref ?? pipeline.branch ?? pipeline.tag ?? undefined,
    'config.sha': source?.revision ?? pipeline.revision,
    ...triggerValues(pipeline, project, triggerMap, options),
  }
}

function triggerValues(
  pipeline: PipelineRow,
  project: ProjectRow,
  triggerMap: string,
  { schedule, webhook }: PipelineOptions,
) {
  const map = `trigger_parameters.${triggerMap}`
  const type = pipeline.trigger_type
  const event = type === 'webhook' ? 'push' : type === 'scheduled_pipeline' ? 'schedule' : 'api'
  return {
    trigger_source: type,
    'trigger.type': type,
    'trigger.received_at': pipeline.received_at,
    'event.name': event,
    'trigger_parameters.webhook.body': webhook?.body,
    'schedule.id': schedule?.id,
    'schedule.name': schedule?.name,
    [`${map}.trigger_type`]: type,
    [`${map}.event_time`]: pipeline.received_at,
    [`${map}.event_type`]: event,
    [`${map}.project_id`]: project.id,
    [`${map}.actor_id`]: pipeline.actor_id ?? systemActor.id,
  }
}
