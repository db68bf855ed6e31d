import { type Static, Type } from 'typebox'
import { endpoint, Message, Time, Uuid } from '#contract/endpoint.ts'

/** `namespace/name`. */
const ClassName = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' })

/** A word that jobs ask for by `resource_class`, and that agents with a token of it serve. */
export const ResourceClass = Type.Object({ id: Uuid, resource_class: Type.String(), description: Type.String() })
export type ResourceClass = Static<typeof ResourceClass>

const token = { id: Uuid, resource_class: Type.String(), nickname: Type.String(), created_at: Time }

/** The token of an agent that serves a resource class. */
export const RunnerToken = Type.Object(token)
export type RunnerToken = Static<typeof RunnerToken>

/** An agent that serves a resource class and was heard of. */
export const Runner = Type.Object({
  resource_class: Type.String(),
  hostname: Type.String(),
  name: Type.String(),
  version: Type.String(),
  status: Type.String(),
  first_connected: Time,
  last_connected: Time,
})
export type Runner = Static<typeof Runner>

const Id = Type.Object({ id: Uuid })
const OfClass = Type.Object({ 'resource-class': Type.String({ minLength: 1 }) })

export const listResourceClasses = endpoint({
  method: 'GET',
  path: '/runner/resource',
  summary: 'List resource classes by namespace, by organization, or all that the caller may see',
  access: 'user',
  query: Type.Object({ namespace: Type.Optional(Type.String()), 'org-id': Type.Optional(Uuid) }),
  response: Type.Object({ items: Type.Array(ResourceClass) }),
})

export const createResourceClass = endpoint({
  method: 'POST',
  path: '/runner/resource',
  summary: 'Make a resource class; without an organization, of the one that the namespace belongs to',
  access: 'user',
  body: Type.Object({
    org_id: Type.Optional(Type.String()),
    resource_class: ClassName,
    description: Type.Optional(Type.String({ maxLength: 2000 })),
  }),
  response: ResourceClass,
})

export const deleteResourceClass = endpoint({
  method: 'DELETE',
  path: '/runner/resource/:id',
  summary: 'Delete a resource class that has no tokens',
  access: 'user',
  params: Id,
  response: Message,
})

export const forceDeleteResourceClass = endpoint({
  method: 'DELETE',
  path: '/runner/resource/:id/force',
  summary: 'Delete a resource class and its tokens',
  access: 'user',
  params: Id,
  response: Message,
})

export const listRunnerTokens = endpoint({
  method: 'GET',
  path: '/runner/token',
  summary: 'List the tokens of a resource class',
  access: 'user',
  query: OfClass,
  response: Type.Object({ items: Type.Array(RunnerToken) }),
})

export const createRunnerToken = endpoint({
  method: 'POST',
  path: '/runner/token',
  summary: 'Make an agent that serves a resource class, and its token, which is shown this once',
  access: 'user',
  body: Type.Object({
    org_id: Type.Optional(Type.String()),
    resource_class: Type.String({ minLength: 1 }),
    nickname: Type.String({ minLength: 1, maxLength: 200 }),
  }),
  response: Type.Object({ ...token, token: Type.String() }),
})

export const deleteRunnerToken = endpoint({
  method: 'DELETE',
  path: '/runner/token/:id',
  summary: 'Revoke the token of an agent that serves a resource class',
  access: 'user',
  params: Id,
  response: Message,
})

export const listRunners = endpoint({
  method: 'GET',
  path: '/runner',
  summary: 'List the agents that serve a resource class, or those of a namespace',
  access: 'user',
  query: Type.Object({ namespace: Type.Optional(Type.String()), 'resource-class': Type.Optional(Type.String()) }),
  response: Type.Object({ items: Type.Array(Runner) }),
})

export const countWaitingTasks = endpoint({
  method: 'GET',
  path: '/runner/tasks',
  summary: 'Count the jobs that wait for a resource class',
  access: 'user',
  query: OfClass,
  response: Type.Object({ unclaimed_task_count: Type.Integer() }),
})

export const countRunningTasks = endpoint({
  method: 'GET',
  path: '/runner/tasks/running',
  summary: 'Count the jobs that run in a resource class',
  access: 'user',
  query: OfClass,
  response: Type.Object({ running_runner_tasks: Type.Integer() }),
})
