import { type Static, Type } from 'typebox'
import { Bytes, endpoint, Nullable, Time, Uuid } from '#contract/endpoint.ts'

/** The longest key of a cache, after its templates are filled in (A6). */
export const longestKey = 900

const Key = Type.String({ minLength: 1, maxLength: longestKey })

/** A cache that can be restored. */
export const FoundCache = Type.Object({
  id: Uuid,
  key: Type.String(),
  /** Bytes of the archive. */
  size: Type.Integer(),
  created_at: Time,
  /** The number of the job that saved it; null where that job is gone. */
  job_number: Nullable(Type.Integer()),
})
export type FoundCache = Static<typeof FoundCache>

export const findCache = endpoint({
  method: 'POST',
  path: '/agent/job/:id/cache/find',
  summary: 'Find the newest cache whose key begins with the first of these that finds any, or is exactly it',
  access: 'job',
  params: Type.Object({ id: Uuid }),
  body: Type.Object({
    keys: Type.Array(Key, { minItems: 1, maxItems: 100 }),
    exact: Type.Boolean(),
    /** Whether the step will ask for other keys if these find none: then nothing was missed yet. */
    more: Type.Optional(Type.Boolean()),
  }),
  response: Type.Object({ cache: Nullable(FoundCache) }),
})

export const readCache = endpoint({
  method: 'GET',
  path: '/agent/job/:id/cache/:cache',
  summary: 'Read the archive of a cache; `Range: bytes=<first>-` reads the rest of one',
  access: 'job',
  form: 'stream',
  params: Type.Object({ id: Uuid, cache: Uuid }),
  response: Bytes,
})

export const saveCache = endpoint({
  method: 'PUT',
  path: '/agent/job/:id/cache',
  summary: 'Save an archive under a key; a key that has one keeps it',
  access: 'job',
  form: 'bytes',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({ key: Key }),
  /** `saved` is false where the key was taken meanwhile. */
  response: Type.Object({ saved: Type.Boolean(), created_at: Time }),
})
