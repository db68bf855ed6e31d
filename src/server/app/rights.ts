import { roleOf } from '#server/store/people.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { User } from './callers.ts'
import { may } from './permissions.ts'
import type { World } from './world.ts'

/** What somebody may do with a project that they see, so that a page can say it before they try. */
export async function rightsIn(world: World, user: User, project: ProjectRow) {
  const role = (await roleOf(world.db, { user: user.id, organization: project.organization_id }))?.role ?? null
  return {
    role,
    build: await may(world, user, 'build', project),
    inspect: await may(world, user, 'inspect', project),
    configure: await may(world, user, 'configure', project),
    own: user.user.admin === 1 || role === 'owner',
  }
}
