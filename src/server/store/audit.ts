import type { Selectable } from 'kysely'
import type { Db, Schema } from './schema.ts'
import { statement } from './statement.ts'

export type AuditRow = Selectable<Schema['audit']>

export const insertAudit = statement((db, row: AuditRow) =>
  db.insertInto('audit').values({
    id: row.id,
    organization_id: row.organization_id,
    actor_id: row.actor_id,
    actor: row.actor,
    action: row.action,
    target: row.target,
    address: row.address,
    created_at: row.created_at,
  }),
)

/** What happened in an organization, or (none named) anywhere, newest first, before an entry. */
export function auditBefore(
  db: Db,
  organization: string | undefined,
  before: string | undefined,
  most: number,
): Promise<AuditRow[]> {
  let query = db.selectFrom('audit').selectAll()
  if (organization !== undefined) query = query.where('organization_id', '=', organization)
  if (before !== undefined) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(most).execute()
}
