import { orNotFound, Refusal } from '#kit/refusal.ts'
import {
  contextById,
  type ContextRow,
  contextsAfter,
  type ContextVariableRow,
  contextVariables,
  countContexts,
  deleteContext,
  deleteContextVariable,
  insertContext,
  lockContext,
  putContextVariable,
} from '#server/store/contexts.ts'
import { lockOrganization } from '#server/store/people.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import { pageOf } from './lists.ts'
import { type OrganizationName, organizationFor, type Role } from './organizations.ts'
import type { World } from './world.ts'

export type { ContextRow, ContextVariableRow }

const mostContexts = 500
const mostVariables = 100

/** A context, if the caller is at least that in its organization. */
export async function contextFor(world: World, caller: Caller, least: Role, id: string): Promise<ContextRow> {
  const row = orNotFound(await contextById(world.db, { id: id.toLowerCase() }), 'Context')
  try {
    await organizationFor(world, caller, least, { id: row.organization_id })
  } catch (error) {
    // What one may not see does not exist, and least of all its organization.
    if (error instanceof Refusal && error.code === 'not-found') throw new Refusal('not-found', 'Context not found.')
    throw error
  }
  return row
}

/** The contexts of an organization, oldest first. */
export async function listContexts(app: App, caller: Caller, owner: OrganizationName, token: string | undefined) {
  const { id: organization } = await organizationFor(app.world, caller, 'viewer', owner)
  return pageOf(app, `contexts:${organization}`, token, (after, most) =>
    contextsAfter(app.world.db, { organization, after, most }),
  )
}

export async function createContext(
  world: World,
  caller: Caller,
  owner: OrganizationName,
  name: string,
): Promise<ContextRow> {
  const organization = await organizationFor(world, caller, 'member', owner)
  const row = { id: world.newId(), organization_id: organization.id, name, created_at: world.now() }
  await world.db.transaction().execute(async (tx) => {
    await lockOrganization(tx, { id: organization.id })
    const present = await countContexts(tx, organization.id)
    if (present >= mostContexts)
      throw new Refusal(
        'invalid',
        `Cannot create a context as an organization has at most ${mostContexts}: it has ${present}`,
      )
    if (!(await insertContext(tx, row))) throw new Refusal('conflict', `A context named ${name} already exists.`)
  })
  return row
}

export async function removeContext(world: World, caller: Caller, id: string): Promise<void> {
  const context = await contextFor(world, caller, 'member', id)
  await world.db.transaction().execute((tx) => deleteContext(tx, context.id))
}

export async function listContextVariables(world: World, caller: Caller, id: string): Promise<ContextVariableRow[]> {
  const context = await contextFor(world, caller, 'viewer', id)
  return contextVariables(world.db, context.id)
}

/** Sets a variable; one of the same name is replaced and keeps the time of its creation. The value is sealed and never told. */
export async function setContextVariable(
  world: World,
  caller: Caller,
  id: string,
  name: string,
  value: string,
): Promise<ContextVariableRow> {
  const context = await contextFor(world, caller, 'member', id)
  const at = world.now()
  return world.db.transaction().execute(async (tx) => {
    orNotFound(await lockContext(tx, { id: context.id }), 'Context')
    const present = await contextVariables(tx, context.id)
    const before = present.find((variable) => variable.name === name)
    if (!before && present.length >= mostVariables)
      throw new Refusal(
        'invalid',
        `Cannot set variable ${name} as a context has at most ${mostVariables}: it has ${present.length}`,
      )
    const row = {
      context_id: context.id,
      name,
      value: world.seal.close(value),
      created_at: before?.created_at ?? at,
      updated_at: at,
    }
    await putContextVariable(tx, row)
    return row
  })
}

export async function removeContextVariable(world: World, caller: Caller, id: string, name: string): Promise<void> {
  const context = await contextFor(world, caller, 'member', id)
  const gone = await world.db.transaction().execute((tx) => deleteContextVariable(tx, context.id, name))
  orNotFound(gone || undefined, 'Environment variable')
}
