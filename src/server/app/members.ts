import { orNotFound } from '#kit/refusal.ts'
import { type OrganizationRow, organizationsOf, userById, type UserRow } from '#server/store/people.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'

/** The organizations a user may work on. */
export const organizationsFor = ({ world }: App, user: User): Promise<OrganizationRow[]> =>
  organizationsOf(world.db, { user: user.id })

/** Another user; anybody who is signed in may know who somebody is. */
export async function userFor({ world }: App, _caller: User, id: string): Promise<UserRow> {
  return orNotFound(await userById(world.db, { id }), 'User')
}
