import { names } from '#core/names.ts'
import { formatRef } from '#core/refs.ts'
import type { UserRow } from '#server/store/people.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { cloneUrl, providerOf, vcsUrl } from './addresses.ts'
import type { Revision } from './revisions.ts'
import type { World } from './world.ts'

/** What made a pipeline, as events say it (§6): of provider-c a push has the name of the provider. */
export function triggerWord(
  world: World,
  project: Pick<ProjectRow, 'provider'>,
  { trigger_type }: PipelineRow,
): string {
  if (trigger_type === 'scheduled_pipeline') return 'schedule'
  return trigger_type === 'webhook' && project.provider === 'provider-c'
    ? providerOf(world, project).long
    : trigger_type
}

const eventTypes: Readonly<Record<string, string>> = { webhook: 'push', scheduled_pipeline: 'schedule' }

/** What is known beside the pipeline itself. */
export interface Around {
  readonly revision: Revision | undefined
  readonly actor: UserRow | undefined
  /** How many commits its push brought. */
  readonly commitCount: number | undefined
}

/** What events tell of a pipeline of provider-c in the place of `vcs` (§6): about the trigger, about git, and in the provider's own words. */
export function triggerParameters(
  world: World,
  project: ProjectRow,
  pipeline: PipelineRow,
  { revision, actor, commitCount }: Around,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { triggerMap, providerMap } = names[world.terms.dialect]
  const ref =
    pipeline.branch === null
      ? formatRef('tag', pipeline.tag ?? pipeline.revision)
      : formatRef('branch', pipeline.branch)
  const eventType = eventTypes[pipeline.trigger_type] ?? pipeline.trigger_type
  const commit = revision?.commit
  return {
    [triggerMap]: {
      event_time: pipeline.received_at,
      event_type: eventType,
      trigger_type: triggerWord(world, project, pipeline),
      ...(pipeline.actor_id !== null && { actor_id: pipeline.actor_id }),
    },
    git: {
      tag: pipeline.tag ?? '',
      checkout_sha: pipeline.revision,
      ref,
      branch: pipeline.branch ?? '',
      checkout_url: cloneUrl(world, project),
    },
    [providerMap]: {
      web_url: vcsUrl(world, project),
      repo_url: cloneUrl(world, project),
      repo_name: project.name,
      project_id: project.id,
      type: eventType,
      ref,
      branch: pipeline.branch ?? '',
      checkout_sha: pipeline.revision,
      commit_sha: pipeline.revision,
      ...(commitCount !== undefined && { total_commits_count: String(commitCount) }),
      ...(commit && {
        commit_author_name: commit.author.name,
        commit_author_email: commit.author.email,
        commit_title: commit.subject,
        commit_message: commit.body === '' ? commit.subject : `${commit.subject}\n\n${commit.body}`,
        commit_timestamp: commit.author.date,
      }),
      ...(actor && {
        user_id: actor.id,
        user_name: actor.name,
        user_username: actor.login,
        ...(actor.avatar_url !== null && { user_avatar: actor.avatar_url }),
      }),
    },
  }
}
