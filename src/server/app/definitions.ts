import { configPaths } from '#core/names.ts'
import { checkName } from '#core/refs.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { isUuid } from '#kit/uuid.ts'
import {
  type DefinitionRow,
  definitionOf,
  definitionsOf,
  deleteDefinition,
  insertDefinition,
  lockDefinition,
  updateDefinition,
} from '#server/store/definitions.ts'
import { lockProject, type ProjectRow } from '#server/store/projects.ts'
import { providerOf } from './addresses.ts'
import type { World } from './world.ts'

export type { DefinitionRow }

/** What a definition is made of. */
export interface DefinitionForm {
  readonly name: string
  readonly description: string
  readonly configProvider: string
  readonly configRepository: string
  readonly configPath: string
  readonly checkoutProvider: string
  readonly checkoutRepository: string
}

const mostDefinitions = 100

/** The definition that every project has: its id is the project's, and its configuration lies where configurations usually do. */
export function usualDefinition(world: World, project: ProjectRow): DefinitionRow {
  const provider = providerOf(world, project).long
  return {
    id: project.id,
    project_id: project.id,
    name: 'usual',
    description: '',
    config_provider: provider,
    config_repository: project.id,
    config_path: configPaths[1],
    checkout_provider: provider,
    checkout_repository: project.id,
    created_at: project.created_at,
  }
}

/** The definitions of a project that the caller was let into: the usual one, and those that were made. */
export const listDefinitions = async (world: World, project: ProjectRow): Promise<readonly DefinitionRow[]> => [
  usualDefinition(world, project),
  ...(await definitionsOf(world.db, { project: project.id })),
]

export async function findDefinition(world: World, project: ProjectRow, id: string): Promise<DefinitionRow> {
  const key = id.toLowerCase()
  if (key === project.id) return usualDefinition(world, project)
  return orNotFound(await definitionOf(world.db, { project: project.id, id: key }), 'Pipeline definition')
}

export async function createDefinition(
  world: World,
  project: ProjectRow,
  form: DefinitionForm,
): Promise<DefinitionRow> {
  const row = {
    id: world.newId(),
    project_id: project.id,
    name: form.name,
    description: form.description,
    config_provider: form.configProvider,
    config_repository: ownRepository(project, form.configRepository),
    config_path: checkName('file', form.configPath),
    checkout_provider: form.checkoutProvider,
    checkout_repository: ownRepository(project, form.checkoutRepository),
    created_at: world.now(),
  }
  await world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    const present = await definitionsOf(tx, { project: project.id })
    if (present.length >= mostDefinitions)
      throw new Refusal(
        'invalid',
        `Cannot create a pipeline definition as a project has at most ${mostDefinitions}: it has ${present.length}`,
      )
    await insertDefinition(tx, row)
  })
  return row
}

/** Changes what is given. */
export async function changeDefinition(
  world: World,
  project: ProjectRow,
  id: string,
  form: Partial<DefinitionForm>,
): Promise<DefinitionRow> {
  refuseUsual(project, id, 'change')
  return world.db.transaction().execute(async (tx) => {
    const at = { project: project.id, id: id.toLowerCase() }
    const before = orNotFound(await lockDefinition(tx, at), 'Pipeline definition')
    const to = {
      name: form.name ?? before.name,
      description: form.description ?? before.description,
      config_provider: form.configProvider ?? before.config_provider,
      config_repository: ownRepository(project, form.configRepository ?? before.config_repository),
      config_path: checkName('file', form.configPath ?? before.config_path),
      checkout_provider: form.checkoutProvider ?? before.checkout_provider,
      checkout_repository: ownRepository(project, form.checkoutRepository ?? before.checkout_repository),
    }
    await updateDefinition(tx, before.id, to)
    return { ...before, ...to }
  })
}

export async function removeDefinition(world: World, project: ProjectRow, id: string): Promise<void> {
  refuseUsual(project, id, 'delete')
  const { id: key } = await findDefinition(world, project, id)
  await world.db.transaction().execute((tx) => deleteDefinition(tx, project.id, key))
}

function refuseUsual(project: ProjectRow, id: string, verb: string): void {
  if (id.toLowerCase() === project.id)
    throw new Refusal('invalid', `Cannot ${verb} the usual pipeline definition: every project has it`)
}

/** A project has one repository here. Whatever a provider calls it is kept and told back; another project's is refused rather than half used. */
function ownRepository(project: ProjectRow, id: string): string {
  if (isUuid(id) && id.toLowerCase() !== project.id)
    throw new Refusal('invalid', `Cannot use repository ${id} as it must be the project's own: it is another`)
  return id
}
