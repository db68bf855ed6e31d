import { type Static, Type } from 'typebox'
import { Bytes, endpoint, Uuid } from '#contract/endpoint.ts'

/** What one step of one job put into the workspace. */
export const Layer = Type.Object({
  id: Uuid,
  job: Uuid,
  job_name: Type.String(),
  node_index: Type.Integer(),
  /** Bytes of the archive. */
  size: Type.Integer(),
  /** Layers before this one whose files it may replace: it was made by a job that came after theirs. */
  over: Type.Array(Uuid),
})
export type Layer = Static<typeof Layer>

export const listLayers = endpoint({
  method: 'GET',
  path: '/agent/job/:id/workspace',
  summary: 'List what the jobs before this one put into the workspace, in the order in which it is to be unpacked',
  access: 'job',
  params: Type.Object({ id: Uuid }),
  response: Type.Object({ layers: Type.Array(Layer) }),
})

export const readLayer = endpoint({
  method: 'GET',
  path: '/agent/job/:id/workspace/:layer',
  summary: 'Read the archive of a layer; `Range: bytes=<first>-` reads the rest of one',
  access: 'job',
  form: 'stream',
  params: Type.Object({ id: Uuid, layer: Uuid }),
  response: Bytes,
})

export const saveLayer = endpoint({
  method: 'PUT',
  path: '/agent/job/:id/workspace',
  summary: 'Save the layer of a step; done again, it replaces what the step had saved',
  access: 'job',
  form: 'bytes',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({ step: Type.Integer({ minimum: 0, maximum: 100_000 }) }),
  response: Type.Object({ id: Uuid }),
})
