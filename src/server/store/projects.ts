import { type Insertable, type Selectable, sql } from 'kysely'
import { lock } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { keptStatementForOne, statement, statementForOne } from './statement.ts'

/** A project without the numbers it hands out, which change all the time and are read where they are taken. */
export type ProjectRow = Omit<Selectable<Schema['projects']>, 'last_pipeline' | 'last_job' | 'gone_at' | 'gone_by'>

const columns = [
  'projects.id',
  'projects.organization_id',
  'projects.provider',
  'projects.organization',
  'projects.name',
  'projects.key',
  'projects.slug',
  'projects.default_branch',
  'projects.url',
  'projects.public',
  'projects.settings',
  'projects.named_as',
  'projects.created_at',
] as const

export const projectById = keptStatementForOne('projects', (db, { id }: { id: string }) =>
  db.selectFrom('projects').select(columns).where('id', '=', id).where('gone_at', 'is', null),
)

/** Holds a project: whoever else wants to decide something about all of it waits. */
export const lockProject = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('projects').select('id').where('id', '=', id).$call(lock(db)),
)

const bySlug = keptStatementForOne('projects', (db, { slug }: { slug: string }) =>
  db.selectFrom('projects').select(columns).where('slug', '=', slug),
)

/** Names are told apart without regard to case, as providers do. */
export const slugKey = (provider: string, organization: string, name: string): string =>
  `${provider}/${organization}/${name}`.toLowerCase()

export const projectBySlug = (
  db: Db,
  provider: string,
  organization: string,
  name: string,
): Promise<ProjectRow | undefined> => bySlug(db, { slug: slugKey(provider, organization, name) })

/** The number of the newest pipeline of a project. */
export const lastPipeline = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('projects').select('last_pipeline').where('id', '=', id),
)

/** Whether a project ever had a pipeline. */
export async function hasPipelines(db: Db, id: string): Promise<boolean> {
  return ((await lastPipeline(db, { id }))?.last_pipeline ?? 0) > 0
}

export async function insertProject(tx: Tx, row: Insertable<Schema['projects']>): Promise<boolean> {
  const query = tx
    .insertInto('projects')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

export async function setDefaultBranch(tx: Tx, project: string, branch: string): Promise<void> {
  await tx.updateTable('projects').set({ default_branch: branch }).where('id', '=', project).execute()
}

/** What people decided about a project: who may read it, and the rest as JSON. */
export async function setProjectSettings(
  tx: Tx,
  project: string,
  to: Pick<ProjectRow, 'settings' | 'public'>,
): Promise<void> {
  await tx.updateTable('projects').set(to).where('id', '=', project).execute()
}

export const projectsOf = statement((db, { user }: { user: string }) =>
  db
    .selectFrom('projects')
    .innerJoin('members', 'members.organization_id', 'projects.organization_id')
    .select(columns)
    .where('members.user_id', '=', user)
    .orderBy('projects.organization')
    .orderBy('projects.key'),
)

/** The projects of an organization whose repositories live elsewhere. */
export const fetchedProjects = statement((db, { organization }: { organization: string }) =>
  db
    .selectFrom('projects')
    .select(columns)
    .where('organization_id', '=', organization)
    .where('url', 'is not', null)
    .orderBy('projects.id'),
)

export const allProjects = (db: Db): Promise<ProjectRow[]> =>
  db
    .selectFrom('projects')
    .select(columns)
    .where('gone_at', 'is', null)
    .orderBy('organization')
    .orderBy('key')
    .execute()

/** A project, and the number of its newest pipeline. */
export type BuiltProject = ProjectRow & Pick<Selectable<Schema['projects']>, 'last_pipeline'>

/** By their newest pipeline; those without one come last. */
const newestPipeline = sql`(select coalesce(max(pipelines.id), '') from pipelines where pipelines.project_id = projects.id)`

/** The projects of an organization, most recently built first. */
export const recentlyBuilt = statement((db, at: { organization: string; most: number }) =>
  db
    .selectFrom('projects')
    .select(columns)
    .select('projects.last_pipeline')
    .where('organization_id', '=', at.organization)
    .orderBy(newestPipeline, 'desc')
    .limit(at.most),
)

/** The projects a user follows, most recently built first. */
export const recentlyBuiltFollowed = statement((db, at: { user: string; most: number }) =>
  db
    .selectFrom('projects')
    .innerJoin('follows', 'follows.project_id', 'projects.id')
    .select(columns)
    .select('projects.last_pipeline')
    .where('follows.user_id', '=', at.user)
    .orderBy(newestPipeline, 'desc')
    .limit(at.most),
)

/** The projects a user follows. */
export const followedProjects = statement((db, { user }: { user: string }) =>
  db
    .selectFrom('projects')
    .innerJoin('follows', 'follows.project_id', 'projects.id')
    .select(columns)
    .where('follows.user_id', '=', user)
    .orderBy('projects.organization')
    .orderBy('projects.key'),
)

/** Whether this was news. */
export async function follow(tx: Tx, user: string, project: string, at: string): Promise<boolean> {
  const row = await tx
    .insertInto('follows')
    .values({ user_id: user, project_id: project, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('project_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function unfollow(tx: Tx, user: string, project: string): Promise<void> {
  await tx.deleteFrom('follows').where('user_id', '=', user).where('project_id', '=', project).execute()
}

/** A page of the projects of the organizations that a user belongs to, of one provider, and the user's role there. */
export const projectsAt = statement((db, at: { user: string; provider: string; limit: number; offset: number }) =>
  db
    .selectFrom('projects')
    .innerJoin('members', 'members.organization_id', 'projects.organization_id')
    .leftJoin('follows', (join) =>
      join.onRef('follows.project_id', '=', 'projects.id').onRef('follows.user_id', '=', 'members.user_id'),
    )
    .select(columns)
    .select(['members.role', 'follows.created_at as followed_at'])
    .select(
      sql<number>`case when exists (select 1 from follows f where f.project_id = projects.id) then 1 else 0 end`.as(
        'has_followers',
      ),
    )
    .where('members.user_id', '=', at.user)
    .where('projects.provider', '=', at.provider)
    .orderBy('projects.slug')
    .limit(at.limit)
    .offset(at.offset),
)

/** All projects of an organization, by name. */
export const projectsOfOrganization = statement((db, { organization }: { organization: string }) =>
  db.selectFrom('projects').select(columns).where('organization_id', '=', organization).orderBy('projects.key'),
)
