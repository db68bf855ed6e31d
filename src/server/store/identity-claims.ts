import type { Selectable } from 'kysely'
import type { Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type ClaimsRow = Selectable<Schema['identity_claims']>

/** What an organization or a project wants, if anything. */
export const claimsOf = statementForOne((db, { subject }: { subject: string }) =>
  db.selectFrom('identity_claims').selectAll().where('subject_id', '=', subject),
)

/** What an organization and a project of it want. */
export const claimsOfBoth = statement((db, at: { organization: string; project: string }) =>
  db.selectFrom('identity_claims').selectAll().where('subject_id', 'in', [at.organization, at.project]),
)

export async function putClaims(tx: Tx, row: ClaimsRow): Promise<void> {
  const { subject_id: _, ...changes } = row
  await tx
    .insertInto('identity_claims')
    .values(row)
    .onConflict((conflict) => conflict.column('subject_id').doUpdateSet(changes))
    .execute()
}
