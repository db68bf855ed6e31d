import type { JobStatus } from '#core/job.ts'
import {
  buildsFollowed,
  buildsNumbered,
  buildsOfBranch,
  buildsOfProject,
  type ListedBuild,
  numbersStanding,
  type Standing,
} from '#server/store/builds.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import type { User } from '#server/app/callers.ts'
import { listText } from './texts.ts'

/** What a list of builds may be narrowed to. */
const filters: Readonly<Record<string, Standing & { readonly statuses: readonly JobStatus[] }>> = {
  completed: {
    statuses: ['success', 'failed', 'canceled', 'timedout', 'infrastructure_fail', 'retried'],
    untested: true,
  },
  successful: { statuses: ['success'], untested: false },
  failed: { statuses: ['failed', 'timedout', 'infrastructure_fail', 'retried'], untested: true },
  running: { statuses: ['running', 'queued'], untested: false },
}

/** What somebody wants of a list of builds. */
export interface BuildQuery {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly filter?: string | undefined
  readonly branch?: string | undefined
  readonly shallow?: boolean
}

/** Nobody turns that many pages; a larger offset shows nothing either way. */
const mostOffset = 2 ** 31 - 1

function span({ limit = 30, offset = 0 }: BuildQuery) {
  return { limit: Math.min(limit, 100), offset: Math.min(offset, mostOffset) }
}

/** Builds of a project or one of its branches, newest first. Filters nobody knows are as none. */
export async function projectBuilds(app: App, project: ProjectRow, query: BuildQuery): Promise<readonly ListedBuild[]> {
  const { db } = app.world
  const { limit, offset } = span(query)
  const { branch, filter = '' } = query
  const standing = Object.hasOwn(filters, filter) ? filters[filter] : undefined
  if (standing) {
    const numbers = await numbersStanding(db, { project: project.id, branch, ...standing }, limit, offset)
    return buildsNumbered(db, project.id, numbers)
  }
  return branch === undefined
    ? buildsOfProject(db, { project: project.id, limit, offset })
    : buildsOfBranch(db, { project: project.id, branch, limit, offset })
}

/** The same as JSON. */
export const projectBuildsText = async (app: App, project: ProjectRow, query: BuildQuery): Promise<string> =>
  listText(app, await projectBuilds(app, project, query), [project], query.shallow === true)

/** Builds of everything a user follows, newest first, as JSON. */
export async function recentBuildsText(app: App, user: User, query: BuildQuery): Promise<string> {
  const { limit, offset } = span(query)
  const builds = await buildsFollowed(app.world.db, { user: user.id, span: limit + offset, limit, offset })
  return listText(app, builds, [], query.shallow === true)
}
