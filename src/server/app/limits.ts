import { limitOf, type LimitRow, putLimit } from '#server/store/limits.ts'
import type { Caller } from './callers.ts'
import { organizationFor } from './organizations.ts'
import { projectOfId } from './permissions.ts'
import type { World } from './world.ts'

/** Whose limits are meant. */
export interface LimitSubject {
  readonly subject: 'project' | 'organization'
  readonly id: string
}

/** How much may run; null: as much as anybody. */
export interface Limits {
  readonly max_running: number | null
  readonly max_minutes: number | null
}

const toLimits = (row: LimitRow | undefined): Limits => ({
  max_running: row?.most_running ?? null,
  max_minutes: row?.most_minutes ?? null,
})

/** Reads the limits of a project or an organization, for whoever may see it. */
export async function readLimits(world: World, caller: Caller, { subject, id }: LimitSubject): Promise<Limits> {
  if (subject === 'project') await projectOfId(world, caller, 'read', id)
  else await organizationFor(world, caller, 'viewer', { id })
  return toLimits(await limitOf(world.db, { id }))
}

/** Sets them: the share of a project is for its organization to say. */
export async function changeLimits(world: World, caller: Caller, of: LimitSubject, limits: Limits): Promise<Limits> {
  const { subject, id } = of
  const organization = subject === 'project' ? (await projectOfId(world, caller, 'read', id)).organization_id : id
  await organizationFor(world, caller, 'owner', { id: organization })
  const row = { subject_id: id, subject, most_running: limits.max_running, most_minutes: limits.max_minutes }
  await world.db.transaction().execute((tx) => putLimit(tx, row))
  // Whoever waited for leave may have it now.
  world.bell.ring('queue')
  return toLimits(row)
}
