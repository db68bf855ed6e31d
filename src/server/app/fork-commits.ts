import type { Provider } from '#core/names.ts'
import { Refusal } from '#kit/refusal.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { hasCommit } from '#server/vcs/revision.ts'
import { fetchCommit, fetchPull } from './mirrors.ts'
import { repositoryOf } from './repositories.ts'
import type { PipelineOptions, PullOfPipeline } from './trigger.ts'
import type { World } from './world.ts'

const pullOf = ({ options }: PipelineRow): PullOfPipeline | undefined => (JSON.parse(options) as PipelineOptions).pull

/** Whether the commit of a pull request lies in its fork alone: Bitbucket shows it nowhere in the repository that it is sent to. */
export function isOnlyInFork(world: World, project: ProjectRow, pipeline: PipelineRow): boolean {
  return world.terms.providers[project.provider as Provider].kind === 'bitbucket' && pullOf(pipeline) !== undefined
}

/**
 * Makes sure that what a job is about to read through us is here: on another server, or after a disk was lost, the commit of a pull request is
 * fetched again from where its provider shows it. It must be the very commit that was built and approved of; where that cannot be had any
 * more, says why.
 */
export async function missingCommit(
  world: World,
  project: ProjectRow,
  lease: LeaseRow,
  signal: AbortSignal,
): Promise<string | undefined> {
  const job = await jobById(world.db, { id: lease.job_id })
  const pipeline = job && (await pipelineById(world.db, { id: job.pipeline_id }))
  const pull = pipeline && pullOf(pipeline)
  if (!pipeline || !pull) return undefined
  const { revision } = pipeline
  const path = repositoryOf(world, project)
  if (await hasCommit(path, revision)) return undefined
  const cannot = `Cannot read commit ${revision} of pull request ${pull.number}:`
  try {
    if (await fetchCommit(world, project, revision, signal)) return undefined
    const repository = pull.owner === '' ? {} : { repository: { owner: pull.owner, name: pull.repository } }
    const head = { branch: pull.branch, revision, ...repository }
    const now = await fetchPull(world, project, { number: pull.number, head }, signal)
    return now === revision || (await hasCommit(path, revision))
      ? undefined
      : `${cannot} it has moved on to ${now}, and only the commit that was approved may run`
  } catch (error) {
    world.log.warn('Cannot fetch the commit of a fork', { project: project.id, revision, error: String(error) })
    return `${cannot} ${error instanceof Refusal ? error.message : 'its repository cannot be reached'}`
  }
}
