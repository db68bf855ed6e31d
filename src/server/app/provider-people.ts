import type { UserId } from '#core/ids.ts'
import type { Provider } from '#core/names.ts'
import type { Person } from '#core/provider-event.ts'
import { identityOf } from '#server/store/accounts.ts'
import { roleOf, userById } from '#server/store/people.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { World } from './world.ts'

/** The user here who somebody at a provider has shown to be, by signing in there; nothing where nobody has. */
export async function userBehind(world: World, provider: string, person: Person | undefined): Promise<UserId | null> {
  if (!person) return null
  const { webUrl } = world.terms.providers[provider as Provider]
  const found = await identityOf(world.db, { issuer: webUrl, subject: person.id })
  return (found?.user_id as UserId | undefined) ?? null
}

/** Whether all of these people may cause builds of a project anyway. Whoever is not known here may not. */
export async function allMayBuild(
  world: World,
  project: ProjectRow,
  people: readonly (Person | undefined)[],
): Promise<boolean> {
  for (const person of people) {
    const id = await userBehind(world, project.provider, person)
    const user = id === null ? undefined : await userById(world.db, { id })
    if (!user) return false
    const role = (await roleOf(world.db, { user: user.id, organization: project.organization_id }))?.role
    if (user.admin !== 1 && role !== 'owner' && role !== 'member') return false
  }
  return people.length > 0
}
