import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Time, Uuid } from '#contract/endpoint.ts'

/** Who has a serial group. */
const Holder = Type.Object({
  project_slug: Type.String(),
  pipeline_number: Type.Integer(),
  workflow: Type.Object({ id: Uuid, name: Type.String() }),
  since: Time,
})

/** A serial group that a workflow waits for or holds. */
export const SerialPlace = Type.Object({
  key: Type.String(),
  /** The job that stands in line. */
  job: Type.Object({ id: Uuid, name: Type.String() }),
  state: OneOf('waiting', 'held'),
  since: Time,
  /** How many are served before it; 0 of the holder. */
  before: Type.Integer(),
  /** Nobody, or somebody of a project that the caller may not see. */
  holder: Nullable(Holder),
})
export type SerialPlace = Static<typeof SerialPlace>

export const listSerialPlaces = endpoint({
  method: 'GET',
  path: '/workflow/:id/serial-groups',
  summary: 'List the serial groups that a workflow waits for or holds, and who holds them',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  response: Type.Object({ items: Type.Array(SerialPlace) }),
})
