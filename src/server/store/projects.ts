import type { Insertable, Selectable } from 'kysely'
import { lock } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type ProjectRow = Selectable<Schema['projects']>

export const projectById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('projects').selectAll().where('id', '=', id),
)

/** Holds a project: whoever else wants to decide something about all of it waits. */
export const lockProject = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('projects').select('id').where('id', '=', id).$call(lock(db)),
)

const bySlug = statementForOne((db, { slug }: { slug: string }) =>
  db.selectFrom('projects').selectAll().where('slug', '=', slug),
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
    .selectAll('projects')
    .where('members.user_id', '=', user)
    .orderBy('projects.organization')
    .orderBy('projects.key'),
)

export const allProjects = (db: Db): Promise<ProjectRow[]> =>
  db.selectFrom('projects').selectAll().orderBy('organization').orderBy('key').execute()

export const projectsOfOrganization = (db: Db, organization: string): Promise<ProjectRow[]> =>
  db.selectFrom('projects').selectAll().where('organization_id', '=', organization).execute()

/** The projects a user follows. */
export const followedProjects = statement((db, { user }: { user: string }) =>
  db
    .selectFrom('projects')
    .innerJoin('follows', 'follows.project_id', 'projects.id')
    .selectAll('projects')
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
