import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Uuid } from '#contract/endpoint.ts'

/** How much a project or an organization may run; null: as much as anybody. */
export const Limits = Type.Object({
  /** Jobs at once, each node for itself. */
  max_running: Nullable(Type.Integer({ minimum: 0, maximum: 100_000 })),
  /** The longest time of a job, never longer than the installation allows. */
  max_minutes: Nullable(Type.Integer({ minimum: 1, maximum: 10_080 })),
})
export type Limits = Static<typeof Limits>

const Subject = Type.Object({ subject: OneOf('project', 'organization'), id: Uuid })

export const getLimits = endpoint({
  method: 'GET',
  path: '/limits/:subject/:id',
  summary: 'Read how much a project or an organization may run',
  access: 'user',
  params: Subject,
  response: Limits,
})

export const setLimits = endpoint({
  method: 'PUT',
  path: '/limits/:subject/:id',
  summary: 'Set how much a project or an organization may run (owners of the organization)',
  access: 'user',
  params: Subject,
  body: Limits,
  response: Limits,
})
