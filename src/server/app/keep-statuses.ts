import { type SaidOf, saidBetween } from '#core/commit-status.ts'
import { names } from '#core/names.ts'
import type { Workflow } from '#core/workflow.ts'
import { type NewStatus, putStatus } from '#server/store/commit-statuses.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import type { JobRow } from '#server/store/workflows.ts'
import { buildUrl, workflowUrl } from './addresses.ts'
import { isConnected } from './connections.ts'
import { settingsOf } from './project-settings.ts'
import type { World } from './world.ts'

/** A workflow that is about to be kept; `rows` are its jobs as far as they have numbers. */
export interface Moved {
  readonly project: string
  readonly pipeline: string
  readonly before: Workflow | undefined
  readonly after: Workflow
  readonly rows: readonly JobRow[]
}

/**
 * Keeps what the provider of a project is to be told of a commit, in the transaction in which that came about. True when there is
 * something: whoever calls rings `statuses` afterwards.
 */
export async function keepStatuses(world: World, tx: Tx, moved: Moved): Promise<boolean> {
  const project = await projectById(tx, { id: moved.project })
  // Nearly all projects are hosted here, or say nothing: that must cost nothing.
  if (!project || project.url === null) return false
  const { setGithubStatus, statusesOf } = settingsOf(project)
  if (!setGithubStatus) return false
  const said = saidBetween(moved.before, moved.after).filter(
    ({ job }) => statusesOf === 'both' || statusesOf === (job ? 'jobs' : 'workflows'),
  )
  if (said.length === 0 || !(await isConnected(world, tx, project))) return false
  const pipeline = await pipelineById(tx, { id: moved.pipeline })
  if (!pipeline) return false
  for (const one of said) await putStatus(tx, statusRow(world, project, pipeline, moved, one), world.now())
  return true
}

function statusRow(
  world: World,
  project: ProjectRow,
  pipeline: PipelineRow,
  { after, rows }: Moved,
  { job, status, words }: SaidOf,
): NewStatus {
  const number = rows.find(({ id }) => id === job?.id)?.number ?? null
  const name = job ? `${after.name}/${job.name}` : after.name
  return {
    project_id: project.id,
    revision: pipeline.revision,
    context: `${names[world.terms.dialect].statusPrefix}: ${name}`.slice(0, 255),
    provider: project.provider,
    status,
    description: words,
    url: number === null ? workflowUrl(world, project, pipeline.number, after.id) : buildUrl(world, project, number),
  }
}
