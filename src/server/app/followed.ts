import {
  follow as keepFollow,
  unfollow as dropFollow,
  followedProjects,
  hasPipelines,
  type ProjectRow,
} from '#server/store/projects.ts'
import type { App } from './app.ts'
import { type BuildFacts, projectBuilds } from './builds.ts'
import type { User } from './callers.ts'

/** A project that somebody follows, with the latest builds of its branches. */
export interface Followed {
  readonly project: ProjectRow
  readonly branches: ReadonlyMap<string, readonly BuildFacts[]>
}

/** How many builds of a project its branch records are drawn from. */
const considered = 100

/** What a user follows. */
export async function followedBy(app: App, user: User): Promise<readonly Followed[]> {
  const projects = await followedProjects(app.world.db, { user: user.id })
  return Promise.all(
    projects.map(async (project) => {
      const branches = new Map<string, BuildFacts[]>()
      for (const build of await projectBuilds(app, project, { limit: considered })) {
        if (build.job.branch === null) continue
        branches.set(build.job.branch, [...(branches.get(build.job.branch) ?? []), build])
      }
      return { project, branches }
    }),
  )
}

/** Follows a project; says whether that is new. */
export const follow = ({ world }: App, user: User, project: ProjectRow): Promise<boolean> =>
  world.db.transaction().execute((tx) => keepFollow(tx, user.id, project.id, world.now()))

/** Whether a project was ever built. */
export const wasBuilt = ({ world }: App, project: ProjectRow): Promise<boolean> => hasPipelines(world.db, project.id)

export const unfollow = ({ world }: App, user: User, project: ProjectRow): Promise<void> =>
  world.db.transaction().execute((tx) => dropFollow(tx, user.id, project.id))

/** The ids of what a user follows. */
export async function followedProjectIds({ world }: App, user: User): Promise<ReadonlySet<string>> {
  return new Set((await followedProjects(world.db, { user: user.id })).map(({ id }) => id))
}
