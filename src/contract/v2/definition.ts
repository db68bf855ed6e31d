import { type Static, Type } from 'typebox'
import { endpoint, Message, Page, Time, Uuid } from '#contract/endpoint.ts'

const Provider = Type.String({ minLength: 1, maxLength: 100 })
/** What a provider calls a repository. */
const ExternalId = Type.String({ minLength: 1, maxLength: 200 })
const FilePath = Type.String({ minLength: 1, maxLength: 250 })
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Description = Type.Optional(Type.String({ maxLength: 2000 }))

const GivenRepo = Type.Object({ external_id: Type.Optional(ExternalId), full_name: Type.Optional(Type.String()) })

/** A repository as it is told. */
export const Repo = Type.Object({ full_name: Type.String(), external_id: Type.String() })

/** Where a configuration lies, and what is checked out to run it. */
export const Definition = Type.Object({
  id: Uuid,
  name: Type.String(),
  description: Type.String(),
  created_at: Time,
  config_source: Type.Object({ provider: Type.String(), repo: Repo, file_path: Type.String() }),
  checkout_source: Type.Object({ provider: Type.String(), repo: Repo }),
})
export type Definition = Static<typeof Definition>

const ProjectIdParams = Type.Object({ project_id: Uuid })
const DefinitionParams = Type.Object({ project_id: Uuid, definition_id: Uuid })

export const listDefinitions = endpoint({
  method: 'GET',
  path: '/projects/:project_id/pipeline-definitions',
  summary: 'List the pipeline definitions of a project; the usual one, which every project has, has its id',
  access: 'user',
  params: ProjectIdParams,
  response: Page(Definition),
})

export const createDefinition = endpoint({
  method: 'POST',
  path: '/projects/:project_id/pipeline-definitions',
  summary: 'Define pipelines of a project whose configuration lies in another file',
  access: 'user',
  status: 201,
  params: ProjectIdParams,
  body: Type.Object({
    name: Name,
    description: Description,
    config_source: Type.Object({ provider: Provider, repo: Type.Optional(GivenRepo), file_path: FilePath }),
    checkout_source: Type.Object({ provider: Provider, repo: Type.Optional(GivenRepo) }),
  }),
  response: Definition,
})

export const getDefinition = endpoint({
  method: 'GET',
  path: '/projects/:project_id/pipeline-definitions/:definition_id',
  summary: 'Read a pipeline definition',
  access: 'user',
  params: DefinitionParams,
  response: Definition,
})

export const updateDefinition = endpoint({
  method: 'PATCH',
  path: '/projects/:project_id/pipeline-definitions/:definition_id',
  summary: 'Change what is given of a pipeline definition',
  access: 'user',
  params: DefinitionParams,
  body: Type.Object({
    name: Type.Optional(Name),
    description: Description,
    config_source: Type.Optional(
      Type.Object({
        provider: Type.Optional(Provider),
        repo: Type.Optional(GivenRepo),
        file_path: Type.Optional(FilePath),
      }),
    ),
    checkout_source: Type.Optional(Type.Object({ provider: Type.Optional(Provider), repo: Type.Optional(GivenRepo) })),
  }),
  response: Definition,
})

export const deleteDefinition = endpoint({
  method: 'DELETE',
  path: '/projects/:project_id/pipeline-definitions/:definition_id',
  summary: 'Delete a pipeline definition and what triggers it',
  access: 'user',
  params: DefinitionParams,
  response: Message,
})
