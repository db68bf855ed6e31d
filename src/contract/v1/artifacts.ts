import { type Static, Type } from 'typebox'
import { endpoint } from '#contract/endpoint.ts'
import { BuildParams, ProjectParams } from './path.ts'

/** A file that a build kept; both paths are the same. */
export const Artifact = Type.Object({
  path: Type.String(),
  pretty_path: Type.String(),
  node_index: Type.Integer(),
  url: Type.String(),
})
export type Artifact = Static<typeof Artifact>

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
  query: Type.Object({
    branch: Type.Optional(Type.String()),
    /** Unknown words are ignored. */
    filter: Type.Optional(Type.String()),
  }),
  response: Type.Array(Artifact),
})
