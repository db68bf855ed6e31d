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

/** Where a page of agents begins: after the one of this name and id. */
export interface AgentsAfter {
  readonly name: string
  readonly id: string
}

/** An agent that has a token, and the token's id. */
export type TokenedAgent = AgentRow & { readonly token_id: string }

/** Agents that have a token, by name; of one organization, where that is given. */
export function agentsFrom(
  db: Db,
  organization: string | undefined,
  after: AgentsAfter | undefined,
  most: number,
): Promise<readonly TokenedAgent[]> {
  const agents = db
    .selectFrom('agents')
    .innerJoin('tokens', (join) => join.onRef('tokens.agent_id', '=', 'agents.id').on('tokens.kind', '=', 'agent'))
    .selectAll('agents')
    .select('tokens.id as token_id')
  const own = organization === undefined ? agents : agents.where('agents.organization_id', '=', organization)
  const rest =
    after === undefined
      ? own
      : own
          // Said twice, so that the index knows where to begin.
          .where('agents.name', '>=', after.name)
          .where((eb) => eb.or([eb('agents.name', '>', after.name), eb('agents.id', '>', after.id)]))
  return rest.orderBy('agents.name').orderBy('agents.id').limit(most).execute()
}

export async function deleteAgent(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('tokens').where('agent_id', '=', id).execute()
  await tx.updateTable('agents').set({ instance: null }).where('id', '=', id).execute()
}
