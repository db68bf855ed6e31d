import { names, type Provider } from '#core/names.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { cloneUrl } from './addresses.ts'
import type { Revision } from './revisions.ts'
import type { World } from './world.ts'

/** The values that a configuration may use as `pipeline.*`; those of a commit only where it is known. */
export function pipelineValues(world: World, project: ProjectRow, pipeline: PipelineRow, commit?: Revision['commit']) {
  const provider = names[world.terms.dialect].providers[project.provider as Provider]
  return {
    id: pipeline.id,
    number: pipeline.number,
    'project.git_url': cloneUrl(world, project),
    'project.type': provider.long,
    'project.slug': `${provider.short}/${project.organization}/${project.name}`,
    'git.branch': pipeline.branch ?? undefined,
    'git.branch.is_default': pipeline.branch === project.default_branch,
    'git.tag': pipeline.tag ?? undefined,
    'git.revision': pipeline.revision,
    'git.repo_url': cloneUrl(world, project),
    'git.repo_owner': project.organization,
    'git.repo_name': project.name,
    'git.commit.subject': commit?.subject,
    'git.commit.body': commit?.body,
    'git.commit.author_name': commit?.author.name,
    'git.commit.author_email': commit?.author.email,
    trigger_source: pipeline.trigger_type,
    'trigger.type': pipeline.trigger_type,
    'trigger.received_at': pipeline.received_at,
    'event.name': pipeline.trigger_type === 'webhook' ? 'push' : pipeline.trigger_type,
  }
}
