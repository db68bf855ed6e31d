import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { pullRequestOf, vcsUrl } from './addresses.ts'
import type { PipelineOptions } from './trigger.ts'
import type { World } from './world.ts'

/** A pull request that a pipeline is about. */
export interface AboutPull {
  readonly number: number
  readonly url: string
}

/**
 * The pull requests that a pipeline is about: the one it was made for, or those that were open for its branch when it was made; and
 * where nobody told of any, the one whose name its branch has.
 */
export function pullRequestsOf(
  world: World,
  project: ProjectRow,
  { branch, options }: Pick<PipelineRow, 'branch' | 'options'>,
): readonly AboutPull[] {
  const { pull, pulls = [] } = JSON.parse(options) as PipelineOptions
  if (pull && pull.url !== '') return [{ number: pull.number, url: pull.url }]
  if (pulls.length > 0) return pulls
  const named = pullRequestOf(world, project, branch)
  return named ? [{ number: Number(named.number), url: named.url }] : []
}

/** Where the commit comes from: another repository of the same provider where a fork asks (§6). */
export function originUrl(world: World, project: ProjectRow, { options }: Pick<PipelineRow, 'options'>): string {
  const { pull } = JSON.parse(options) as PipelineOptions
  const url = vcsUrl(world, project)
  return pull ? url.replace(/[^/]+\/[^/]+$/, () => `${pull.owner}/${pull.repository}`) : url
}
