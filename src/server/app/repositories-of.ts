import { providerCode } from '#core/names.ts'
import { Refusal } from '#kit/refusal.ts'
import { organizationsOf, roleOf } from '#server/store/people.ts'
import { projectsAt } from '#server/store/projects.ts'
import type { User } from './callers.ts'
import type { World } from './world.ts'

const mostOnPage = 100

/** A page of the repositories that a user may see as a member, of one provider. */
export async function repositoriesOf({ db }: World, user: User, vcs: string, page = 1, size = 30) {
  const provider = providerCode(vcs)
  if (provider === undefined) throw new Refusal('not-found', 'Provider not found.')
  const limit = Math.min(size, mostOnPage)
  const offset = Math.min((page - 1) * limit, 2 ** 31 - 1)
  return projectsAt(db, { user: user.id, provider, limit, offset })
}

/** The organizations that a user belongs to, and whether it is theirs to rule. */
export async function membershipsOf({ db }: World, user: User) {
  const organizations = await organizationsOf(db, { user: user.id })
  return Promise.all(
    organizations.map(async (organization) => {
      const role = (await roleOf(db, { user: user.id, organization: organization.id }))?.role
      return { organization, isOwner: role === 'owner' }
    }),
  )
}
