import { type ExpressionBuilder, sql } from 'kysely'
import { assertNever } from '#kit/brand.ts'
import { both, listedColumns, type ListedBuild, type Order } from './builds.ts'
import { literal } from './dialect.ts'
import type { Db, Schema } from './schema.ts'
import { statement } from './statement.ts'

/*
 * Lists of builds of several projects: of each of them only as much is looked at as the page could hold.
 */

/** Of which projects: of those that a user follows, of all of an organization, or of one. */
export type Realm = 'followed' | 'organization' | 'project'

/** Some builds of a list: how many, and after how many others. */
interface Page {
  readonly [field: string]: unknown
  /** Whose id: of the user, the organization or the project. */
  readonly owner: string
  readonly limit: number
  readonly offset: number
}

function projectsOf(eb: ExpressionBuilder<Schema, never>, realm: Realm, owner: string) {
  const told = ['projects.id', 'projects.last_job', 'projects.last_pipeline'] as const
  switch (realm) {
    case 'followed':
      return eb
        .selectFrom('follows')
        .innerJoin('projects', 'projects.id', 'follows.project_id')
        .select(told)
        .where('follows.user_id', '=', owner)
        .as('projects')
    case 'organization':
      return eb.selectFrom('projects').select(told).where('organization_id', '=', owner).as('projects')
    case 'project':
      return eb.selectFrom('projects').select(told).where('projects.id', '=', owner).as('projects')
    default:
      return assertNever(realm)
  }
}

const at = sql<string>`coalesce(jobs.queued_at, jobs.created_at)`

const page = (realm: Realm, order: Order) =>
  statement((db, { owner, limit, offset, span }: Page & { span: number }) =>
    db
      .selectFrom((page) =>
        page
          .selectFrom((eb) => projectsOf(eb, realm, owner))
          .innerJoin('jobs', (join) => {
            const own = join.onRef('jobs.project_id', '=', 'projects.id')
            return order === 'desc'
              ? own.on('jobs.number', '>', sql<number>`projects.last_job - ${span}`)
              : own.on('jobs.number', '>', literal(0)).on('jobs.number', '<=', span)
          })
          .select(['jobs.id', 'jobs.number', at.as('at')])
          .orderBy('at', order)
          .orderBy('jobs.number', order)
          .limit(limit)
          .offset(offset)
          .as('page'),
      )
      .innerJoin('jobs', 'jobs.id', 'page.id')
      .select(listedColumns)
      .orderBy('page.at', order)
      .orderBy('page.number', order)
      .$narrowType<{ number: number }>(),
  )

/** Lists of builds of several projects, by the time at which they were queued. */
export const pages = {
  followed: both((order) => page('followed', order)),
  organization: both((order) => page('organization', order)),
}

/** Builds of several projects. */
export const buildsOfMany = (db: Db, realm: keyof typeof pages, order: Order, at: Page): Promise<ListedBuild[]> =>
  pages[realm][order](db, { ...at, span: at.limit + at.offset })

/** Somebody's own builds are looked for among so many of the newest pipelines of each project. */
const mostPipelines = 1000

/** What of one's own builds is wanted; an empty text is anything. */
interface Own extends Page {
  readonly user: string
  readonly branch: string
  /** Statuses of jobs, each between commas. */
  readonly statuses: string
  /** Whether a success without tests is among them. */
  readonly untested: number
}

const own = (realm: Realm, order: Order) =>
  statement((db, { owner, limit, offset, user, branch, statuses, untested }: Own) =>
    db
      .selectFrom((eb) => projectsOf(eb, realm, owner))
      .innerJoin('pipelines', (join) =>
        join
          .onRef('pipelines.project_id', '=', 'projects.id')
          .on('pipelines.actor_id', '=', user)
          .on('pipelines.number', '>', sql<number>`projects.last_pipeline - ${literal(mostPipelines)}`),
      )
      .innerJoin('workflows', 'workflows.pipeline_id', 'pipelines.id')
      .innerJoin('jobs', 'jobs.workflow_id', 'workflows.id')
      .select(listedColumns)
      .where('jobs.number', '>', literal(0))
      .where(sql<boolean>`(${branch} = '' or jobs.branch = ${branch})`)
      .where(
        sql<boolean>`(${statuses} = '' or case when jobs.no_tests = 1 and jobs.status = 'success'
          then ${untested} = 1 else ${statuses} like '%,' || jobs.status || ',%' end)`,
      )
      .$call((found) => (realm === 'project' ? found : found.orderBy(at, order)))
      .orderBy('jobs.number', order)
      .limit(limit)
      .offset(offset)
      .$narrowType<{ number: number }>(),
  )

/** Lists of one's own builds. */
export const ownPages = {
  followed: both((order) => own('followed', order)),
  organization: both((order) => own('organization', order)),
  project: both((order) => own('project', order)),
}
