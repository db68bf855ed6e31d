import type { Insertable, Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

export type AgentRow = Selectable<Schema['agents']>

export const agentById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('agents').selectAll().where('id', '=', id),
)

export async function insertAgent(tx: Tx, row: Insertable<Schema['agents']>): Promise<void> {
  await tx.insertInto('agents').values(row).execute()
}

/** A process begins to work as this agent; the one before it is forgotten. */
export async function registerAgent(tx: Tx, id: string, row: Partial<Omit<AgentRow, 'id'>>): Promise<void> {
  await tx.updateTable('agents').set(row).where('id', '=', id).execute()
}

export const allAgents = (db: Db): Promise<AgentRow[]> => db.selectFrom('agents').selectAll().orderBy('name').execute()

export async function deleteAgent(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('tokens').where('agent_id', '=', id).execute()
  await tx.updateTable('agents').set({ instance: null }).where('id', '=', id).execute()
}
