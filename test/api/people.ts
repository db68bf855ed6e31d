import type { ProjectId, UserId } from '#core/ids.ts'
import { tokenRow } from '#server/app/people.ts'
import { newToken } from '#server/app/seal.ts'
import type { World } from '#server/app/world.ts'
import { insertMember, insertUser, organizationByName } from '#server/store/people.ts'
import { insertToken } from '#server/store/tokens.ts'

/** Somebody with a token. */
export interface Person {
  readonly id: UserId
  readonly login: string
  readonly token: string
}

/** Makes a user and a token of theirs. */
export async function newPerson(world: World, login: string, admin = false): Promise<Person> {
  const id = world.newId() as UserId
  const token = newToken('user')
  await world.db.transaction().execute(async (tx) => {
    const at = world.now()
    await insertUser(tx, {
      id,
      login,
      key: login,
      name: login,
      avatar_url: null,
      email: null,
      admin: admin ? 1 : 0,
      created_at: at,
    })
    await insertToken(tx, tokenRow(world, token, { kind: 'user', user_id: id }))
  })
  return { id, login, token }
}

/** Lets a user into an organization. */
export async function join(
  world: World,
  person: Person,
  organization: string,
  role: 'owner' | 'member' | 'viewer',
): Promise<void> {
  const found = await organizationByName(world.db, world.terms.hostedAs, organization)
  if (!found) throw new Error(`Cannot join ${organization}: it does not exist`)
  const row = { organization_id: found.id, user_id: person.id, role, created_at: world.now() }
  await world.db.transaction().execute((tx) => insertMember(tx, row))
}

/** A token of a project with one scope. */
export async function newProjectToken(world: World, project: string, scope: string): Promise<string> {
  const token = newToken('project')
  const row = tokenRow(world, token, { kind: 'project', project_id: project as ProjectId, scope })
  await world.db.transaction().execute((tx) => insertToken(tx, row))
  return token
}
