import { Type } from 'typebox'
import { endpoint, Message, Uuid } from '#contract/endpoint.ts'

export const saveArtifacts = endpoint({
  method: 'PUT',
  path: '/agent/job/:id/artifacts',
  summary: 'Save many small files as artifacts: a line of JSON, `[[path, size], ...]`, then their bytes in this order',
  access: 'job',
  form: 'bytes',
  params: Type.Object({ id: Uuid }),
  response: Message,
})

export const saveArtifact = endpoint({
  method: 'PUT',
  path: '/agent/job/:id/artifact',
  summary: 'Save one file as an artifact of the job; the same path again replaces it',
  access: 'job',
  form: 'bytes',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({ path: Type.String({ minLength: 1, maxLength: 1024 }) }),
  response: Message,
})
