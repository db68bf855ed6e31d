import { Type } from 'typebox'
import { Bytes, endpoint, Uuid } from '#contract/endpoint.ts'

export const readUsage = endpoint({
  method: 'GET',
  path: '/usage/:id',
  summary: 'Read an account of usage by the link that was given out: CSV, packed with gzip',
  access: 'anyone',
  form: 'stream',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({ until: Type.String({ maxLength: 10 }), signature: Type.String({ maxLength: 100 }) }),
  response: Bytes,
})
