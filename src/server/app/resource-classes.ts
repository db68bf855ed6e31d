import { orNotFound, Refusal } from '#kit/refusal.ts'
import type { AgentRow } from '#server/store/agents.ts'
import { organizationByName, organizationsOf, type OrganizationRow } from '#server/store/people.ts'
import {
  agentsOfClasses,
  countRunning,
  countWaiting,
  deleteResourceClass,
  insertResourceClass,
  lockResourceClass,
  resourceClassById,
  resourceClassByName,
  type ResourceClassRow,
  resourceClassesOf,
  tokensOfClass,
} from '#server/store/resource-classes.ts'
import { deleteToken, type TokenRow } from '#server/store/tokens.ts'
import { newAgent } from './agents.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import { organizationFor, type Role } from './organizations.ts'
import { asUser } from './permissions.ts'
import type { World } from './world.ts'

export type { AgentRow, ResourceClassRow, TokenRow }

const missing = () => new Refusal('not-found', 'Resource class not found.')

/** The classes that the caller may see: those of the organizations it belongs to. */
export async function listClasses(
  world: World,
  caller: Caller,
  namespace: string | undefined,
  organization: string | undefined,
): Promise<readonly ResourceClassRow[]> {
  const user = asUser(caller)
  const organizations =
    organization === undefined
      ? await organizationsOf(world.db, { user: user.id })
      : [await organizationFor(world, caller, 'viewer', { id: organization })]
  const rows = await resourceClassesOf(
    world.db,
    organizations.map(({ id }) => id),
  )
  return namespace === undefined ? rows : rows.filter(({ name }) => namespaceOf(name) === namespace)
}

const namespaceOf = (name: string): string => name.slice(0, name.indexOf('/'))

/** A namespace is the name of an organization, or what an organization chose: then it is named beside it. */
export async function createClass(
  world: World,
  caller: Caller,
  name: string,
  description: string,
  organization: string | undefined,
): Promise<ResourceClassRow> {
  const owner = await ownerOf(world, caller, namespaceOf(name), organization)
  const row = { id: world.newId(), organization_id: owner.id, name, description, created_at: world.now() }
  const made = await world.db.transaction().execute((tx) => insertResourceClass(tx, row))
  if (!made) throw new Refusal('conflict', `Cannot make resource class ${name}: it exists`)
  return row
}

async function ownerOf(
  world: World,
  caller: Caller,
  namespace: string,
  organization: string | undefined,
): Promise<OrganizationRow> {
  if (organization !== undefined && organization !== '')
    return organizationFor(world, caller, 'owner', { id: organization })
  const named = await organizationByName(world.db, world.terms.hostedAs, namespace)
  if (!named) throw new Refusal('not-found', 'Organization not found.')
  return organizationFor(world, caller, 'owner', { id: named.id })
}

/** A class by its name, if the caller is at least that in its organization. */
export async function classNamed(world: World, caller: Caller, least: Role, name: string): Promise<ResourceClassRow> {
  return permitted(world, caller, least, await resourceClassByName(world.db, { name }))
}

async function permitted(world: World, caller: Caller, least: Role, row: ResourceClassRow | undefined) {
  if (!row) throw missing()
  try {
    await organizationFor(world, caller, least, { id: row.organization_id })
  } catch (error) {
    throw error instanceof Refusal && error.code === 'not-found' ? missing() : error
  }
  return row
}

/** Deletes a class. One that agents serve stays, unless that is meant: then their tokens go with it. */
export async function removeClass({ world, callers }: App, caller: Caller, id: string, force: boolean): Promise<void> {
  const row = await permitted(world, caller, 'owner', await resourceClassById(world.db, { id: id.toLowerCase() }))
  await world.db.transaction().execute(async (tx) => {
    if (!(await lockResourceClass(tx, { id: row.id }))) throw missing()
    const tokens = await tokensOfClass(tx, row.id)
    if (tokens.length > 0 && !force)
      throw new Refusal('conflict', `Cannot delete resource class ${row.name}: it has ${tokens.length} tokens`)
    for (const token of tokens) await deleteToken(tx, token.id)
    await deleteResourceClass(tx, row.id)
  })
  callers.forget()
}

export async function listClassTokens(world: World, caller: Caller, name: string) {
  const row = await classNamed(world, caller, 'viewer', name)
  return { row, tokens: await tokensOfClass(world.db, row.id) }
}

/** Makes an agent that serves a class for its organization. */
export async function createClassToken(world: World, caller: Caller, name: string, nickname: string) {
  const row = await classNamed(world, caller, 'owner', name)
  const made = await newAgent(world, nickname, row.organization_id, row)
  return { ...made, row }
}

export async function removeClassToken({ world, callers }: App, caller: Caller, id: string): Promise<void> {
  const agent = await world.db
    .selectFrom('tokens')
    .innerJoin('agents', 'agents.id', 'tokens.agent_id')
    .select(['agents.id', 'agents.resource_class_id'])
    .where('tokens.id', '=', id.toLowerCase())
    .executeTakeFirst()
  const of = agent?.resource_class_id ?? undefined
  if (of === undefined) throw new Refusal('not-found', 'Token not found.')
  await permitted(world, caller, 'owner', await resourceClassById(world.db, { id: of }))
  const gone = await world.db.transaction().execute((tx) => deleteToken(tx, id.toLowerCase()))
  orNotFound(gone || undefined, 'Token')
  callers.forget()
  if (agent) world.bell.ring(`agent:${agent.id}`)
}

/** The agents of a class, or of all that the caller may see. */
export async function listRunners(
  world: World,
  caller: Caller,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): Promise<readonly (AgentRow & { readonly class: string })[]> {
  const rows = await listClasses(world, caller, namespace, undefined)
  const classes = new Map(
    rows.filter((row) => name === undefined || row.name === name).map((row) => [row.id, row.name]),
  )
  const agents = await agentsOfClasses(world.db, [...classes.keys()])
  return agents.map((agent) => ({ ...agent, class: classes.get(agent.resource_class_id ?? '') ?? '' }))
}

/** How many jobs of its organization wait for a class, or run in it. */
export async function countTasks(world: World, caller: Caller, name: string, state: 'waiting' | 'running') {
  const row = await classNamed(world, caller, 'viewer', name)
  return (state === 'waiting' ? countWaiting : countRunning)(world.db, row.name, row.organization_id)
}
