import type { Selectable } from 'kysely'
import { lock } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'
import type { TokenRow } from './tokens.ts'

export type ResourceClassRow = Selectable<Schema['resource_classes']>

/** Whether it was made; false where there is one of that name. */
export async function insertResourceClass(tx: Tx, row: ResourceClassRow): Promise<boolean> {
  const query = tx
    .insertInto('resource_classes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

export const resourceClassById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('resource_classes').selectAll().where('id', '=', id),
)

/** Reads a class that is about to go, or to get a token: whoever else wants to waits. */
export const lockResourceClass = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('resource_classes').selectAll().where('id', '=', id).$call(lock(db)),
)

export const resourceClassByName = statementForOne((db, { name }: { name: string }) =>
  db.selectFrom('resource_classes').selectAll().where('name', '=', name),
)

/** The classes of some organizations, by name; there are few. */
export async function resourceClassesOf(db: Db, organizations: readonly string[]): Promise<ResourceClassRow[]> {
  if (organizations.length === 0) return []
  return db
    .selectFrom('resource_classes')
    .selectAll()
    .where('organization_id', 'in', organizations)
    .orderBy('name')
    .execute()
}

export async function deleteResourceClass(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('resource_classes').where('id', '=', id).execute()
}

/** The tokens of the agents that serve a class, oldest first. */
export const tokensOfClass = (db: Db, id: string): Promise<TokenRow[]> =>
  db
    .selectFrom('tokens')
    .innerJoin('agents', 'agents.id', 'tokens.agent_id')
    .selectAll('tokens')
    .where('agents.resource_class_id', '=', id)
    .orderBy('tokens.id')
    .execute()

/** The agents that serve some classes and have a token, by name. */
export async function agentsOfClasses(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('agents')
    .innerJoin('tokens', 'tokens.agent_id', 'agents.id')
    .selectAll('agents')
    .where('agents.resource_class_id', 'in', ids)
    .orderBy('agents.name')
    .execute()
}

/** How many jobs of an organization wait for a resource class. */
export async function countWaiting(db: Db, name: string, organization: string): Promise<number> {
  const row = await db
    .selectFrom('queue')
    .innerJoin('projects', 'projects.id', 'queue.project_id')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('queue.resource_class', '=', name)
    .where('projects.organization_id', '=', organization)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** How many run in it. */
export async function countRunning(db: Db, name: string, organization: string): Promise<number> {
  const row = await db
    .selectFrom('leases')
    .innerJoin('jobs', 'jobs.id', 'leases.job_id')
    .innerJoin('projects', 'projects.id', 'leases.project_id')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('jobs.resource_class', '=', name)
    .where('projects.organization_id', '=', organization)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
