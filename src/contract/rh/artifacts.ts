import { type Static, Type } from 'typebox'
import { Bytes, endpoint, Page, Uuid } from '#contract/endpoint.ts'

/** An artifact as the page of a job shows it. */
export const ArtifactEntry = Type.Object({
  path: Type.String(),
  node_index: Type.Integer(),
  size: Type.Integer(),
  /** For whoever has a token or a session. */
  url: Type.String(),
  /** Opens it for some minutes without either. */
  signed_url: Type.String(),
})
export type ArtifactEntry = Static<typeof ArtifactEntry>

export const listArtifacts = endpoint({
  method: 'GET',
  path: '/job/:id/artifacts',
  summary: 'List the artifacts of a job, with links that can be given to somebody for some minutes',
  access: 'user-or-public',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({ 'page-token': Type.Optional(Type.String()) }),
  response: Page(ArtifactEntry),
})

export const readArtifact = endpoint({
  method: 'GET',
  path: '/job/:id/artifacts/:node/*',
  summary: 'Download an artifact, or a range of it; also found under /output/job/{id}/artifacts/{node}/{path}',
  access: 'project-or-public:view-builds',
  form: 'stream',
  params: Type.Object({
    id: Uuid,
    node: Type.Integer({ minimum: 0 }),
    '*': Type.String({ title: 'path', minLength: 1 }),
  }),
  query: Type.Object({ expires: Type.Optional(Type.String()), signature: Type.Optional(Type.String()) }),
  response: Bytes,
})
