import { conditionProblem } from '#config/condition-text.ts'
import { assertNever } from '#kit/brand.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { isUuid } from '#kit/uuid.ts'
import { deleteRestriction, insertRestriction, type RestrictionRow, restrictionsOf } from '#server/store/contexts.ts'
import { roleOf, userById } from '#server/store/people.ts'
import { projectById } from '#server/store/projects.ts'
import type { Caller } from './callers.ts'
import { type ContextRow, contextFor } from './contexts.ts'
import type { World } from './world.ts'

/** By what the use of a context can be limited; the group is that of all members of the organization. */
export const restrictionTypes = ['project', 'user', 'group', 'expression'] as const
export type RestrictionType = (typeof restrictionTypes)[number]

/** A restriction, and what a person calls the thing it names. */
export interface NamedRestriction {
  readonly row: RestrictionRow
  readonly name: string
}

export async function listRestrictions(world: World, caller: Caller, id: string): Promise<readonly NamedRestriction[]> {
  const context = await contextFor(world, caller, 'viewer', id)
  const rows = await restrictionsOf(world.db, [context.id])
  return Promise.all(rows.map(async (row) => ({ row, name: await nameOf(world, row) })))
}

/** Limits the use of a context further; owners decide that. */
export async function addRestriction(
  world: World,
  caller: Caller,
  id: string,
  type: RestrictionType,
  value: string,
): Promise<NamedRestriction> {
  const context = await contextFor(world, caller, 'owner', id)
  const checked = await checkedValue(world, context, type, value)
  const row = { id: world.newId(), context_id: context.id, type, value: checked, created_at: world.now() }
  const made = await world.db.transaction().execute((tx) => insertRestriction(tx, row))
  if (!made) throw new Refusal('conflict', 'Conflict creating entity.')
  return { row, name: await nameOf(world, row) }
}

export async function removeRestriction(world: World, caller: Caller, id: string, restriction: string): Promise<void> {
  const context = await contextFor(world, caller, 'owner', id)
  const gone = await world.db
    .transaction()
    .execute((tx) => deleteRestriction(tx, context.id, restriction.toLowerCase()))
  orNotFound(gone || undefined, 'Restriction')
}

/** What is named must be there, and of the same organization: a restriction to nothing would lock everybody out unseen. */
async function checkedValue(world: World, context: ContextRow, type: RestrictionType, value: string): Promise<string> {
  if (type === 'expression') {
    const problem = conditionProblem(value)
    if (problem !== undefined) throw new Refusal('invalid', `Cannot restrict a context by this expression: ${problem}`)
    return value
  }
  const id = value.toLowerCase()
  if (!isUuid(id)) throw new Refusal('invalid', `Cannot restrict a context to a ${type} as it must be named by its id`)
  switch (type) {
    case 'project': {
      const project = await projectById(world.db, { id })
      if (project?.organization_id !== context.organization_id) throw new Refusal('not-found', 'Project not found.')
      return id
    }
    case 'user': {
      const role = await roleOf(world.db, { user: id, organization: context.organization_id })
      if (!role) throw new Refusal('not-found', 'User not found.')
      return id
    }
    case 'group':
      if (id !== context.organization_id) throw new Refusal('not-found', 'Group not found.')
      return id
    default:
      return assertNever(type)
  }
}

async function nameOf(world: World, { type, value }: RestrictionRow): Promise<string> {
  if (type === 'project') return (await projectById(world.db, { id: value }))?.name ?? ''
  if (type === 'user') return (await userById(world.db, { id: value }))?.login ?? ''
  return type === 'group' ? 'All members' : ''
}
