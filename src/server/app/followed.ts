import type { PipelineId } from '#core/ids.ts'
import { Refusal } from '#kit/refusal.ts'
import {
  follow as keepFollow,
  unfollow as dropFollow,
  followedProjects,
  hasPipelines,
  type ProjectRow,
} from '#server/store/projects.ts'
import type { JobRow } from '#server/store/workflows.ts'
import type { App } from './app.ts'
import { branchRecords } from './builds/branches.ts'
import type { Caller, User } from './callers.ts'
import { dropKeysOf, wishKeysOf } from './key-registrations.ts'
import { may } from './permissions.ts'
import { processPipeline } from './process-pipeline.ts'
import { trigger } from './trigger.ts'
import { firstJobOf } from './trigger-build.ts'

/** What a user follows. */
export const followedProjectsOf = ({ world }: App, user: User): Promise<readonly ProjectRow[]> =>
  followedProjects(world.db, { user: user.id })

/** The same with the records of its branches. */
export async function followedBy({ world }: App, user: User) {
  const projects = await followedProjects(world.db, { user: user.id })
  return Promise.all(projects.map(async (project) => ({ project, branches: await branchRecords(world, project) })))
}

/** Follows a project. One that was never built is built when somebody who may build follows it: then says that build. */
export async function follow(app: App, user: User, project: ProjectRow): Promise<JobRow | undefined> {
  const { world } = app
  const mayBuild = await may(world, user, 'build', project)
  const isNew = await world.db.transaction().execute(async (tx) => {
    const made = await keepFollow(tx, user.id, project.id, world.now())
    if (made && mayBuild) await wishKeysOf(world, tx, project, user.id)
    return made
  })
  if (isNew) world.bell.ring('keys')
  const begins = isNew && mayBuild && !(await hasPipelines(world.db, project.id))
  return begins ? firstBuild(app, user, project) : undefined
}

/** A repository without a branch has nothing to build. */
async function firstBuild(app: App, user: User, project: ProjectRow): Promise<JobRow | undefined> {
  const how = { type: 'explicit', actor: user.id, parameters: {}, options: {} } as const
  try {
    const { id } = await trigger(app.world, project, {}, how)
    // Not left to the loop: the answer must show the build.
    await processPipeline(app.world, app.compile, id as PipelineId)
    return await firstJobOf(app, id)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** No longer follows a project; a key that opens all that the user may do is taken away with that. */
export async function unfollow({ world }: App, user: User, project: ProjectRow): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    await dropFollow(tx, user.id, project.id)
    await dropKeysOf(world, tx, project, user.id)
  })
  world.bell.ring('keys')
}

/** Whether somebody follows a project; whoever is no user follows none. */
export const isFollowing = async (app: App, caller: Caller, project: ProjectRow): Promise<boolean> =>
  caller.kind === 'user' && (await followedProjectIds(app, caller)).has(project.id)

/** The ids of what a user follows. */
export async function followedProjectIds({ world }: App, user: User): Promise<ReadonlySet<string>> {
  return new Set((await followedProjects(world.db, { user: user.id })).map(({ id }) => id))
}
