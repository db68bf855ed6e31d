import { Refusal } from '#kit/refusal.ts'
import { deleteOrganization, hideProject } from '#server/store/delete-project.ts'
import { lockOrganization, type OrganizationRow } from '#server/store/people.ts'
import { lockProject, projectById, type ProjectRow, projectsOfOrganization } from '#server/store/projects.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import { leaveKeys } from './unwanted-keys.ts'

/** Who is rung when there is something to clear away. */
export const goneTopic = 'gone'

/**
 * Deletes a project: from this moment nobody sees it, nothing runs for it, and its name is free. What it had, which may be much, is cleared
 * away bit by bit afterwards. Whoever calls has seen to it that the caller may.
 */
export async function removeProject({ world, callers }: App, user: User, project: ProjectRow): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    // Somebody else may have been faster.
    if (!(await projectById(tx, { id: project.id }))) return
    await leaveKeys(world, tx, project)
    await hideProject(tx, project.id, world.now(), user.id)
  })
  callers.forget()
  world.bell.ring(`project:${project.id}`)
  world.bell.ring(goneTopic)
  world.bell.ring('keys')
}

const mostRounds = 100

/** Deletes an organization with its projects, people and contexts. Whoever calls has seen to it that the caller owns it. */
export async function removeOrganization(app: App, user: User, organization: OrganizationRow): Promise<void> {
  const { world, callers } = app
  const at = { organization: organization.id }
  for (let round = 0; round < mostRounds; round++) {
    for (const project of await projectsOfOrganization(world.db, at)) await removeProject(app, user, project)
    const isGone = await world.db.transaction().execute(async (tx) => {
      await lockOrganization(tx, { id: organization.id })
      if ((await projectsOfOrganization(tx, at)).length > 0) return false
      await deleteOrganization(tx, organization.id)
      return true
    })
    callers.forget()
    if (isGone) return
  }
  throw new Refusal('conflict', `Cannot delete organization ${organization.name}: somebody adds projects to it`)
}
