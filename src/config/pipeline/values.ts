/** Values that every pipeline has by name, though not every one has them all: the rest are null (§A8). */
export const pipelineValues: ReadonlySet<string> = new Set([
  'id',
  'number',
  'name',
  'in_setup',
  'config_source',
  'definition.id',
  'integration_source',
  'project.git_url',
  'project.type',
  'project.slug',
  'project.id',
  'organization.id',
  'git.branch',
  'git.branch.is_default',
  'git.tag',
  'git.revision',
  'git.base_revision',
  'git.repo_url',
  'git.repo_owner',
  'git.repo_name',
  'git.repo_id',
  'git.commit.url',
  'git.commit.subject',
  'git.commit.body',
  'git.commit.author_login',
  'git.commit.author_name',
  'git.commit.author_email',
  'git.commit.author_avatar_url',
  'config.repository.name',
  'config.repository.url',
  'config.file_path',
  'config.ref',
  'config.sha',
  'trigger.received_at',
  'trigger.id',
  'trigger.type',
  'trigger.name',
  'trigger_source',
  'schedule.name',
  'schedule.id',
  'event.name',
  'event.action',
])

/** Families of values whose names depend on what the trigger brought along. */
const families = ['event.', 'trigger_parameters.', 'deploy.', 'git.commit.', 'trigger.']

/** Whether a name, without its `pipeline.`, is one that a configuration may use. */
export function isPipelineValue(name: string): boolean {
  return pipelineValues.has(name) || families.some((family) => name.startsWith(family))
}
