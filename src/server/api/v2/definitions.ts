import type { Definition } from '#contract/v2/definition.ts'
import * as contract from '#contract/v2/definition.ts'
import type { App } from '#server/app/app.ts'
import * as definitions from '#server/app/definitions.ts'
import type { ProjectRow } from '#server/app/find.ts'
import { projectOfId } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'

const view = (project: ProjectRow, row: definitions.DefinitionRow): Definition => {
  const repo = (external_id: string) => ({ full_name: `${project.organization}/${project.name}`, external_id })
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    created_at: row.created_at,
    config_source: { provider: row.config_provider, repo: repo(row.config_repository), file_path: row.config_path },
    checkout_source: { provider: row.checkout_provider, repo: repo(row.checkout_repository) },
  }
}

interface Given {
  readonly provider?: string | undefined
  readonly repo?: { readonly external_id?: string | undefined } | undefined
}

/** Pipeline definitions of generation 2. */
export function serveDefinitions({ serve }: Serving, { world }: App): void {
  serve(contract.listDefinitions, async ({ caller, params }) => {
    const project = await projectOfId(world, caller, 'inspect', params.project_id.toLowerCase())
    const rows = await definitions.listDefinitions(world, project)
    return { items: rows.map((row) => view(project, row)), next_page_token: null }
  })
  serve(contract.createDefinition, async ({ caller, params, body }) => {
    const project = await projectOfId(world, caller, 'configure', params.project_id.toLowerCase())
    const { config_source: config, checkout_source: checkout } = body
    const form = {
      name: body.name,
      description: body.description ?? '',
      configProvider: config.provider,
      configRepository: config.repo?.external_id ?? project.id,
      configPath: config.file_path,
      checkoutProvider: checkout.provider,
      checkoutRepository: checkout.repo?.external_id ?? project.id,
    }
    return view(project, await definitions.createDefinition(world, project, form))
  })
  serve(contract.getDefinition, async ({ caller, params }) => {
    const project = await projectOfId(world, caller, 'inspect', params.project_id.toLowerCase())
    return view(project, await definitions.findDefinition(world, project, params.definition_id))
  })
  serve(contract.updateDefinition, async ({ caller, params, body }) => {
    const project = await projectOfId(world, caller, 'configure', params.project_id.toLowerCase())
    const form = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.description !== undefined && { description: body.description }),
      ...(body.config_source?.file_path !== undefined && { configPath: body.config_source.file_path }),
      ...changesOf('config', body.config_source),
      ...changesOf('checkout', body.checkout_source),
    }
    return view(project, await definitions.changeDefinition(world, project, params.definition_id, form))
  })
  serve(contract.deleteDefinition, async ({ caller, params }) => {
    const project = await projectOfId(world, caller, 'configure', params.project_id.toLowerCase())
    await definitions.removeDefinition(world, project, params.definition_id)
    return { message: 'Pipeline definition deleted.' }
  })
}

const changesOf = (of: 'config' | 'checkout', given: Given | undefined) => ({
  ...(given?.provider !== undefined && { [`${of}Provider`]: given.provider }),
  ...(given?.repo?.external_id !== undefined && { [`${of}Repository`]: given.repo.external_id }),
})
