import { type Static, Type } from 'typebox'
import { endpoint } from '#contract/endpoint.ts'
import { BuildParams, projectParams, ProjectParams } from './path.ts'

/** A file that a build kept; both paths are the same. */
export const Artifact = Type.Object({
  path: Type.String(),
  pretty_path: Type.String(),
  node_index: Type.Integer(),
  url: Type.String(),
})
export type Artifact = Static<typeof Artifact>

const Latest = Type.Object({
  branch: Type.Optional(Type.String()),
  /** Unknown words are ignored. */
  filter: Type.Optional(Type.String()),
})

/** A node, and the path of a file as the rest of the address. */
const file = { node: Type.Integer({ minimum: 0 }), '*': Type.String({ title: 'path', minLength: 1 }) }

export const listArtifacts = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/:build_num/artifacts',
  summary: 'List the artifacts of a build',
  access: 'project-or-public:view-builds',
  params: BuildParams,
  response: Type.Array(Artifact),
})

export const listLatestArtifacts = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/latest/artifacts',
  summary: 'List the artifacts of the latest build of a project or a branch',
  access: 'project-or-public:view-builds',
  params: ProjectParams,
  query: Latest,
  response: Type.Array(Artifact),
})

export const openArtifact = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/:build_num/artifacts/:node/*',
  summary: 'Go to an artifact of a build',
  access: 'project-or-public:view-builds',
  form: 'stream',
  status: 302,
  params: projectParams({ build_num: Type.Integer({ minimum: 1 }), ...file }),
  response: Type.Unknown(),
})

export const openLatestArtifact = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/latest/artifacts/:node/*',
  summary: 'Go to an artifact of the newest build that has it',
  access: 'project-or-public:view-builds',
  form: 'stream',
  status: 302,
  params: projectParams(file),
  query: Latest,
  response: Type.Unknown(),
})
