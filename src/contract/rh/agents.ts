import { type Static, Type } from 'typebox'
import { agentExecutors } from '#contract/agent.ts'
import { endpoint, Message, Page, Nullable, OneOf, Time, Uuid } from '#contract/endpoint.ts'

/** How an agent stands: `new` until it first came, `lost` when nothing was heard of it for two minutes, `obstructed` when it can take no jobs. */
export const agentStates = ['new', 'idle', 'busy', 'draining', 'paused', 'obstructed', 'lost'] as const

/** Whether an agent takes jobs: `paused`, not until it is `working` again; `draining`, never more: it ends when its jobs have. */
export const agentModes = ['working', 'paused', 'draining'] as const

/** An agent as whoever manages it sees it; what it said of itself is null until it has registered. */
export const Agent = Type.Object({
  id: Uuid,
  name: Type.String(),
  token_id: Uuid,
  /** The organization whose projects it works for; null: for all. */
  organization_id: Nullable(Uuid),
  state: OneOf(...agentStates),
  mode: OneOf(...agentModes),
  /** Why it can take no jobs for now, in its own words. */
  obstacle: Nullable(Type.String()),
  version: Nullable(Type.String()),
  /** Jobs that it runs at once, and how many of these it runs now. */
  slots: Nullable(Type.Integer()),
  busy: Type.Integer(),
  /** None: any. */
  resource_classes: Type.Array(Type.String()),
  labels: Type.Array(Type.String()),
  executors: Type.Array(OneOf(...agentExecutors)),
  /** The jobs that it runs now; once for each node. */
  jobs: Type.Array(Uuid),
  last_seen_at: Nullable(Time),
  created_at: Time,
})
export type Agent = Static<typeof Agent>

const Owner = Type.Optional(Uuid)

export const listAgents = endpoint({
  method: 'GET',
  path: '/agents',
  summary: 'List the agents of this installation (administrators), or of an organization (its owners)',
  access: 'user',
  query: Type.Object({ organization: Owner, 'page-token': Type.Optional(Type.String()) }),
  response: Page(Agent),
})

export const setAgentMode = endpoint({
  method: 'PUT',
  path: '/agents/:id/mode',
  summary: 'Pause an agent, let it work again, or have it end when its jobs have',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  body: Type.Object({ mode: OneOf(...agentModes) }),
  response: Agent,
})

export const createAgentToken = endpoint({
  method: 'POST',
  path: '/agent-token',
  summary: 'Make an agent and its token, which is shown this once',
  access: 'user',
  status: 201,
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }), organization: Owner }),
  response: Type.Object({ id: Uuid, token: Type.String(), agent_id: Uuid }),
})

export const deleteAgentToken = endpoint({
  method: 'DELETE',
  path: '/agent-token/:id',
  summary: 'Revoke the token of an agent',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  response: Message,
})
