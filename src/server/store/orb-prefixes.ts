import type { Selectable } from 'kysely'
import type { Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

export type OrbPrefixRow = Selectable<Schema['orb_prefixes']>

/** The addresses of orbs that an organization allows, oldest first. */
export const orbPrefixesOf = statement((db, { organization }: { organization: string }) =>
  db.selectFrom('orb_prefixes').selectAll().where('organization_id', '=', organization).orderBy('id'),
)

export async function insertOrbPrefix(tx: Tx, row: OrbPrefixRow): Promise<void> {
  await tx.insertInto('orb_prefixes').values(row).execute()
}

/** Whether there was one. */
export async function deleteOrbPrefix(tx: Tx, organization: string, id: string): Promise<boolean> {
  const query = tx.deleteFrom('orb_prefixes').where('organization_id', '=', organization).where('id', '=', id)
  return (await query.returning('id').executeTakeFirst()) !== undefined
}
