import { Type } from 'typebox'
import { endpoint, Time, Uuid } from '#contract/endpoint.ts'

/** The name of a file in the exchange folder of an agent that lies on the server's own disk. */
const File = Type.String({ pattern: '^[0-9a-f]{32}$' })

export const lendArchive = endpoint({
  method: 'POST',
  path: '/agent/job/:id/lend',
  summary: 'Lay an archive into the exchange folder of an agent on the same disk, instead of sending it',
  access: 'job',
  params: Type.Object({ id: Uuid }),
  body: Type.Object({ kind: Type.Union([Type.Literal('cache'), Type.Literal('layer')]), archive: Uuid, file: File }),
  response: Type.Object({ size: Type.Integer() }),
})

export const handInCache = endpoint({
  method: 'POST',
  path: '/agent/job/:id/hand-in/cache',
  summary: 'Save under a key the archive that lies in the exchange folder of the agent; a key that has one keeps it',
  access: 'job',
  params: Type.Object({ id: Uuid }),
  body: Type.Object({ file: File, key: Type.String({ minLength: 1, maxLength: 900 }) }),
  response: Type.Object({ saved: Type.Boolean(), created_at: Time }),
})

export const handInLayer = endpoint({
  method: 'POST',
  path: '/agent/job/:id/hand-in/layer',
  summary: 'Add to the workspace the archive that lies in the exchange folder of the agent',
  access: 'job',
  params: Type.Object({ id: Uuid }),
  body: Type.Object({ file: File, step: Type.Integer({ minimum: 0, maximum: 100_000 }) }),
  response: Type.Object({ id: Uuid }),
})
