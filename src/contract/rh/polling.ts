import { Type } from 'typebox'
import { endpoint, Nullable, Time } from '#contract/endpoint.ts'
import { ProjectParams } from '#contract/v2/path.ts'

/** How often a repository that lives elsewhere is looked at. */
const Polling = Type.Object({
  /** 0: never by itself, only when a pipeline is triggered. */
  every_seconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  next_at: Nullable(Time),
})

export const getPolling = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/polling',
  summary: 'Read how often the repository of a project is looked at',
  access: 'user',
  params: ProjectParams,
  response: Polling,
})

export const setPolling = endpoint({
  method: 'PUT',
  path: '/project/:provider/:org/:repo/polling',
  summary: 'Set how often the repository of a project is looked at; 0 for never',
  access: 'user',
  params: ProjectParams,
  body: Type.Object({ every_seconds: Type.Integer({ minimum: 0, maximum: 86_400 }) }),
  response: Polling,
})
