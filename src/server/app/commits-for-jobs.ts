import type { Provider } from '#core/names.ts'
import { Refusal } from '#kit/refusal.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { hasCommit } from '#server/vcs/revision.ts'
import { fetchAll, fetchCommit, fetchPull } from './mirrors.ts'
import { repositoryOf } from './repositories.ts'
import type { PipelineOptions, PullOfPipeline } from './trigger.ts'
import type { World } from './world.ts'

const pullOf = ({ options }: PipelineRow): PullOfPipeline | undefined => (JSON.parse(options) as PipelineOptions).pull

/** Whether the commit of a pull request lies in its fork alone: Bitbucket shows it nowhere in the repository that it is sent to. */
export function isOnlyInFork(world: World, project: ProjectRow, pipeline: PipelineRow): boolean {
  return world.terms.providers[project.provider as Provider].kind === 'bitbucket' && pullOf(pipeline) !== undefined
}

/** So old may be what we know of the branches of a repository when a job reads them through us, as with agents that read it themselves. */
const freshMs = 60_000

/**
 * Makes sure that what a job is about to read through us is here: its commit, and for jobs of the project's own branches the other branches as
 * they are now, or were a minute ago. Where the commit cannot be had any more, says why.
 */
export async function missingCommit(
  world: World,
  project: ProjectRow,
  lease: LeaseRow,
  signal: AbortSignal,
): Promise<string | undefined> {
  const job = await jobById(world.db, { id: lease.job_id })
  const pipeline = job && (await pipelineById(world.db, { id: job.pipeline_id }))
  if (!pipeline || project.url === null) return undefined
  const { revision } = pipeline
  const pull = pullOf(pipeline)
  const isHere = await hasCommit(repositoryOf(world, project), revision)
  if (pull && isHere) return undefined
  const cannot = `Cannot read commit ${revision}${pull ? ` of pull request ${pull.number}` : ''}:`
  try {
    const why = await (pull
      ? missingOfPull(world, project, revision, pull, signal)
      : missingOfBranches(world, project, project.url, revision, signal))
    return why && `${cannot} ${why}`
  } catch (error) {
    world.log.warn('Cannot fetch the commit of a job', { project: project.id, revision, error: String(error) })
    // Of other branches it may be late; its own code is what it was made for.
    if (isHere) return undefined
    return `${cannot} ${error instanceof Refusal ? error.message : 'its repository cannot be reached'}`
  }
}

async function missingOfBranches(
  world: World,
  project: ProjectRow,
  url: string,
  revision: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = repositoryOf(world, project)
  await fetchAll(world, project, url, signal, freshMs)
  if ((await hasCommit(path, revision)) || (await fetchCommit(world, project, revision, signal))) return undefined
  return 'its repository does not show it any more'
}

/**
 * On another server, or after a disk was lost, the commit of a pull request is fetched again from where its provider shows it. It must be the
 * very commit that was built and approved of.
 */
async function missingOfPull(
  world: World,
  project: ProjectRow,
  revision: string,
  pull: PullOfPipeline,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (await fetchCommit(world, project, revision, signal)) return undefined
  const repository = pull.owner === '' ? {} : { repository: { owner: pull.owner, name: pull.repository } }
  const head = { branch: pull.branch, revision, ...repository }
  const now = await fetchPull(world, project, { number: pull.number, head }, signal)
  if (now === revision || (await hasCommit(repositoryOf(world, project), revision))) return undefined
  return `it has moved on to ${now}, and only the commit that was approved may run`
}
