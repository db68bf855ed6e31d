import type { WorkflowId } from '#core/ids.ts'
import { Refusal } from '#kit/refusal.ts'
import {
  cachesOf,
  deleteOrganization,
  deletePipelines,
  deleteProject,
  openWorkflows,
  type StoredName,
} from '#server/store/delete-project.ts'
import { lockOrganization, type OrganizationRow } from '#server/store/people.ts'
import { lockProject, type ProjectRow, projectsOfOrganization } from '#server/store/projects.ts'
import { removeRepository } from '#server/vcs/repositories.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import { repositoryOf } from './repositories.ts'
import { blobKey } from './storage.ts'
import { leaveKeys } from './unwanted-keys.ts'
import { cancelWorkflow } from './workflows.ts'
import type { World } from './world.ts'

const together = 50
/** Of pipelines: a project that still has some then is pushed to faster than it can be deleted. */
const mostBatches = 100_000

/**
 * Deletes a project with everything it ever had: pipelines in batches, as there may be many and others want to write meanwhile, then the rest
 * at once. Dying in between leaves a project with fewer pipelines, and deleting it again goes on. Whoever calls has seen to it that the caller may.
 */
export async function removeProject({ world, callers }: App, user: User, project: ProjectRow): Promise<void> {
  await stopAll(world, user, project)
  for (let batch = 0; batch < mostBatches; batch++) {
    const gone = await world.db.transaction().execute((tx) => deletePipelines(tx, project.id, together))
    if (gone) {
      await removeStored(world, gone.stored)
      for (const job of gone.jobs) for (const place of ['logs', 'live']) await world.blobs.removeAll(`${place}/${job}/`)
      continue
    }
    const caches = await cachesOf(world.db, project.id)
    if (!(await removeRest(world, project))) continue
    await removeStored(world, caches)
    await removeRepository(repositoryOf(world, project))
    callers.forget()
    world.bell.ring(`project:${project.id}`)
    world.bell.ring('keys')
    return
  }
  throw new Refusal('conflict', `Cannot delete project ${project.name}: new pipelines are made all the time`)
}

/** Agents hear of it as of any cancellation, and stop. */
async function stopAll(world: World, user: User, project: ProjectRow): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch++) {
    const open = await openWorkflows(world.db, project.id, together)
    if (open.length === 0) return
    for (const id of open) await cancelWorkflow(world, user.id, id as WorkflowId)
  }
}

/** False where a push came in between: there is a pipeline again. */
async function removeRest(world: World, project: ProjectRow): Promise<boolean> {
  return world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    const late = await tx.selectFrom('pipelines').select('id').where('project_id', '=', project.id).executeTakeFirst()
    if (late) return false
    await leaveKeys(world, tx, project)
    await deleteProject(tx, project.id)
    return true
  })
}

async function removeStored(world: World, names: readonly StoredName[]): Promise<void> {
  for (const { kind, id } of names) await world.blobs.remove(blobKey(kind, id))
}

/** Deletes an organization with its projects, people and contexts. Whoever calls has seen to it that the caller owns it. */
export async function removeOrganization(app: App, user: User, organization: OrganizationRow): Promise<void> {
  const { world, callers } = app
  for (const project of await projectsOfOrganization(world.db, { organization: organization.id }))
    await removeProject(app, user, project)
  await world.db.transaction().execute(async (tx) => {
    await lockOrganization(tx, { id: organization.id })
    if ((await projectsOfOrganization(tx, { organization: organization.id })).length > 0)
      throw new Refusal('conflict', `Cannot delete organization ${organization.name}: somebody adds projects to it`)
    await deleteOrganization(tx, organization.id)
  })
  callers.forget()
}
