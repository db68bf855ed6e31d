import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, Time, Uuid } from '#contract/endpoint.ts'

/** An agent as the administrator sees it; what it said of itself is null until it has registered. */
export const Agent = Type.Object({
  id: Uuid,
  name: Type.String(),
  token_id: Uuid,
  status: OneOf('online', 'offline'),
  version: Nullable(Type.String()),
  slots: Nullable(Type.Integer()),
  resource_classes: Type.Array(Type.String()),
  /** The jobs that it runs now. */
  jobs: Type.Array(Uuid),
  last_seen_at: Nullable(Time),
  created_at: Time,
})
export type Agent = Static<typeof Agent>

export const listAgents = endpoint({
  method: 'GET',
  path: '/agents',
  summary: 'List the agents of this installation',
  access: 'admin',
  response: Type.Object({ items: Type.Array(Agent) }),
})

export const createAgentToken = endpoint({
  method: 'POST',
  path: '/agent-token',
  summary: 'Make an agent and its token, which is shown this once',
  access: 'admin',
  status: 201,
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) }),
  response: Type.Object({ id: Uuid, token: Type.String(), agent_id: Uuid }),
})

export const deleteAgentToken = endpoint({
  method: 'DELETE',
  path: '/agent-token/:id',
  summary: 'Revoke the token of an agent',
  access: 'admin',
  params: Type.Object({ id: Uuid }),
  response: Message,
})
