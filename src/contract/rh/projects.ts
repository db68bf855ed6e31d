import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { pipelineStates } from '#contract/v2/pipeline.ts'
import { workflowStatuses } from '#contract/v2/workflow.ts'

/** What a card of a project says of its newest pipeline. */
export const PipelineGlance = Type.Object({
  id: Uuid,
  number: Type.Integer(),
  state: OneOf(...pipelineStates),
  /** The worst of its workflows; null while there is none. */
  status: Nullable(OneOf(...workflowStatuses)),
  branch: Nullable(Type.String()),
  tag: Nullable(Type.String()),
  subject: Nullable(Type.String()),
  created_at: Time,
})
export type PipelineGlance = Static<typeof PipelineGlance>

/** A project as the first page shows it. */
export const ProjectCard = Type.Object({
  id: Uuid,
  slug: Type.String(),
  name: Type.String(),
  organization: Type.String(),
  default_branch: Nullable(Type.String()),
  public: Type.Boolean(),
  followed: Type.Boolean(),
  last_pipeline: Nullable(PipelineGlance),
  /** The newest pipeline of each of the branches that were built last, the newest branch first. */
  branches: Type.Array(PipelineGlance),
})
export type ProjectCard = Static<typeof ProjectCard>

export const listProjects = endpoint({
  method: 'GET',
  path: '/projects',
  summary: 'List the projects that the caller may see',
  access: 'user',
  query: Type.Object({ 'page-token': Type.Optional(Type.String()) }),
  response: Page(ProjectCard),
})

export const addProject = endpoint({
  method: 'POST',
  path: '/project',
  summary: 'Add a project by the URL of its repository',
  access: 'user',
  status: 201,
  body: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 2000 }),
    organization: Type.String({ minLength: 1, maxLength: 200 }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    /** A provider code; the built-in git host where it is left out. */
    provider: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  }),
  response: Type.Object({
    project: ProjectCard,
    /** To be allowed to read the repository at its provider. */
    checkout_key: Type.Object({ public_key: Type.String(), fingerprint: Type.String() }),
  }),
})
