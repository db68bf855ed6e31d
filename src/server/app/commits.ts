import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { type Commit, commitsBetween, countCommits } from '#server/vcs/revision.ts'
import { remember } from './remember.ts'
import { repositoryOf } from './repositories.ts'
import type { Revisions } from './revisions.ts'
import { readsFromProvider } from './sources.ts'
import type { World } from './world.ts'

/** A record names at most so many commits of a push; one more is read, to know whether there are more. */
export const mostCommits = 20

type Pushed = Pick<PipelineRow, 'revision' | 'branch' | 'base_revision' | 'trigger_type'>

/** Finds the commits that a pipeline brought, the newest first: those of its push, else the one it builds. Read from git once. */
export function commits(world: World, findRevision: Revisions) {
  const known = remember<string, readonly Commit[]>(500)

  return async function find(project: ProjectRow, pipeline: Pushed): Promise<readonly Commit[]> {
    const { commit } = await findRevision(project, pipeline.revision)
    if (pipeline.trigger_type !== 'webhook' || pipeline.branch === null || pipeline.base_revision === null)
      return [commit]
    // Without a mirror there is nothing to compare: the newest one stands for all.
    if (readsFromProvider(world, project)) return [commit]
    const key = `${project.id}:${pipeline.base_revision}:${pipeline.revision}`
    const seen = known.get(key)
    if (seen) return seen
    const move = { from: pipeline.base_revision, to: pipeline.revision }
    const found = await commitsBetween(repositoryOf(world, project), move, mostCommits + 1)
    // A branch that was set back brings nothing new.
    return known.set(key, found.length === 0 ? [commit] : found)
  }
}

/** How many commits a push brought; nothing where there was none, or where they cannot be counted. */
export async function countPushed(world: World, project: ProjectRow, pipeline: Pushed): Promise<number | undefined> {
  if (pipeline.trigger_type !== 'webhook' || readsFromProvider(world, project)) return undefined
  if (pipeline.branch === null) return 0
  const other = pipeline.branch === project.default_branch ? undefined : `refs/heads/${project.default_branch}`
  const before = pipeline.base_revision ?? other
  return countCommits(repositoryOf(world, project), pipeline.revision, before).catch(() => undefined)
}
