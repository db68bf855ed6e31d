import type { JobStatus } from '#core/job.ts'
import {
  buildsNumbered,
  buildsOfBranch,
  buildsOfProject,
  type ListedBuild,
  numbersStanding,
  type Order,
  type Standing,
} from '#server/store/builds.ts'
import { buildsOfMany, ownPages, type Realm } from '#server/store/builds-of-many.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import type { User } from '#server/app/callers.ts'
import { listText } from './texts.ts'

type Narrow = Standing & { readonly statuses: readonly JobStatus[] }

/** What a list of builds may be narrowed to. */
const filters: ReadonlyMap<string, Narrow> = new Map(
  Object.entries<Narrow>({
    completed: {
      statuses: ['success', 'failed', 'canceled', 'timedout', 'infrastructure_fail', 'retried'],
      untested: true,
    },
    successful: { statuses: ['success'], untested: false },
    failed: { statuses: ['failed', 'timedout', 'infrastructure_fail', 'retried'], untested: true },
    running: { statuses: ['running', 'queued'], untested: false },
  }),
)

const only = (...statuses: readonly JobStatus[]): Narrow => ({ statuses, untested: false })

/** Which builds have a status; those that a repair is told of beside those that only succeeded. */
const standings: ReadonlyMap<string, Narrow> = new Map(
  Object.entries<Narrow>({
    scheduled: only('queued'),
    queued: only('queued'),
    running: only('running'),
    success: only('success'),
    fixed: only('success'),
    failed: only('failed'),
    timedout: only('timedout'),
    canceled: only('canceled'),
    infrastructure_fail: only('infrastructure_fail'),
    retried: only('retried'),
    not_run: only('not_run', 'unauthorized'),
    no_tests: { statuses: [], untested: true },
  }),
)

/** What somebody wants of a list of builds. */
export interface BuildQuery {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly filter?: string | undefined
  /** Statuses with commas, instead of a filter. */
  readonly status?: string | undefined
  readonly branch?: string | undefined
  readonly order?: Order
  /** Whose builds alone are wanted. */
  readonly mine?: string | undefined
  readonly shallow?: boolean
}

/** Nobody turns that many pages; a larger offset shows nothing either way. */
const mostOffset = 2 ** 31 - 1

function span({ limit = 30, offset = 0 }: BuildQuery) {
  return { limit: Math.min(limit, 100), offset: Math.min(offset, mostOffset) }
}

/** Filters and statuses that nobody knows are as none. */
function narrowed({ filter = '', status = '' }: BuildQuery): Narrow | undefined {
  const wanted = status.split(',').flatMap((word) => standings.get(word.trim()) ?? [])
  if (wanted.length === 0) return filters.get(filter)
  return {
    statuses: [...new Set(wanted.flatMap(({ statuses }) => statuses))],
    untested: wanted.some(({ untested }) => untested),
  }
}

/** Builds of a project or one of its branches, newest first unless asked otherwise. */
export async function projectBuilds(app: App, project: ProjectRow, query: BuildQuery): Promise<readonly ListedBuild[]> {
  const { db } = app.world
  const { limit, offset } = span(query)
  const { branch, mine, order = 'desc' } = query
  if (mine !== undefined) return ownBuilds(app, 'project', project.id, query, mine)
  const standing = narrowed(query)
  if (standing) {
    const numbers = await numbersStanding(db, { project: project.id, branch, order, ...standing }, limit, offset)
    return buildsNumbered(db, project.id, numbers, order)
  }
  return branch === undefined
    ? buildsOfProject[order](db, { project: project.id, limit, offset })
    : buildsOfBranch[order](db, { project: project.id, branch, limit, offset })
}

function ownBuilds({ world }: App, realm: Realm, owner: string, query: BuildQuery, user: string) {
  const standing = narrowed(query)
  return ownPages[realm][query.order ?? 'desc'](world.db, {
    ...span(query),
    owner,
    user,
    branch: query.branch ?? '',
    statuses: standing ? `,${standing.statuses.join(',')},` : '',
    untested: standing?.untested === true ? 1 : 0,
  })
}

/** The same as JSON. */
export const projectBuildsText = async (app: App, project: ProjectRow, query: BuildQuery): Promise<Buffer> =>
  listText(app, await projectBuilds(app, project, query), [project], query.shallow === true)

/** Builds of everything a user follows, newest first unless asked otherwise, as JSON. */
export const recentBuildsText = (app: App, user: User, query: BuildQuery): Promise<Buffer> =>
  buildsText(app, 'followed', user.id, query)

/** Builds of everything in an organization, in the same way. Whoever calls has seen to it that the caller belongs to it. */
export const organizationBuildsText = (app: App, organization: string, query: BuildQuery): Promise<Buffer> =>
  buildsText(app, 'organization', organization, query)

async function buildsText(app: App, realm: 'followed' | 'organization', owner: string, query: BuildQuery) {
  const { mine, order = 'desc' } = query
  const builds =
    mine === undefined
      ? await buildsOfMany(app.world.db, realm, order, { ...span(query), owner })
      : await ownBuilds(app, realm, owner, query, mine)
  return listText(app, builds, [], query.shallow === true)
}
