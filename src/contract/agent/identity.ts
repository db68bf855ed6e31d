import { Type } from 'typebox'
import { endpoint, Uuid } from '#contract/endpoint.ts'

export const makeIdentityToken = endpoint({
  method: 'POST',
  path: '/agent/job/:id/identity',
  summary: 'Get a token by which the job proves to others who it is, for one hour',
  access: 'job',
  params: Type.Object({ id: Uuid }),
  /** For whom: the id of the organization, unless said. */
  body: Type.Object({ audience: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })) }),
  response: Type.Object({ token: Type.String() }),
})
