import type { UserId, WorkflowId } from '#core/ids.ts'
import {
  cachesOf,
  deletePipelines,
  deleteProject,
  deleteSome,
  goneProjects,
  openWorkflows,
  type StoredName,
} from '#server/store/delete-project.ts'
import { lockProject } from '#server/store/projects.ts'
import { removeRepository } from '#server/vcs/repositories.ts'
import { repositoryOf } from './repositories.ts'
import { blobKey } from './storage.ts'
import { cancelWorkflow } from './workflows.ts'
import type { World } from './world.ts'

type Gone = Awaited<ReturnType<typeof goneProjects>>[number]

/** How much goes in one transaction: others want to write meanwhile. */
interface Portion {
  readonly pipelines: number
  readonly rows: number
}

const usual: Portion = { pipelines: 50, rows: 2_000 }
/** So that one that cannot be cleared away does not stand before the others. */
const atOnce = 20

/**
 * Clears a little of each deleted project away; true while there is more. Dying in between costs nothing: what is gone is gone, and whoever
 * comes next goes on. Several servers may do it at once.
 */
export async function clearGone(world: World, portion = usual): Promise<boolean> {
  let isMore = false
  for (const project of await goneProjects(world.db, { most: atOnce })) {
    try {
      isMore = (await clearSome(world, project, portion)) || isMore
    } catch (error) {
      const why = error instanceof Error ? error.stack : String(error)
      world.log.error('Cannot clear a deleted project away', { project: project.id, error: why })
    }
  }
  return isMore
}

/** False when nothing is left of it. */
async function clearSome(world: World, { id, gone_by }: Gone, portion: Portion): Promise<boolean> {
  const open = await openWorkflows(world.db, id, portion.pipelines)
  // Agents hear of it as of any cancellation, and stop.
  for (const workflow of open) await cancelWorkflow(world, (gone_by ?? undefined) as UserId, workflow as WorkflowId)
  if (open.length > 0) return true
  const gone = await world.db.transaction().execute((tx) => deletePipelines(tx, id, portion.pipelines))
  if (gone) {
    await removeStored(world, gone.stored)
    for (const job of gone.jobs) for (const place of ['logs', 'live']) await world.blobs.removeAll(`${place}/${job}/`)
    return true
  }
  // Everything outside of the database first: what cannot be named any more would stay for ever.
  await removeStored(world, await cachesOf(world.db, id))
  await removeRepository(repositoryOf(world, { id }))
  if (await world.db.transaction().execute((tx) => deleteSome(tx, id, portion.rows))) return true
  return !(await removeRest(world, id))
}

/** False where somebody who had seen the project before it went made a pipeline meanwhile. */
async function removeRest(world: World, id: string): Promise<boolean> {
  return world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id })
    const late = await tx.selectFrom('pipelines').select('id').where('project_id', '=', id).executeTakeFirst()
    if (late) return false
    await deleteProject(tx, id)
    return true
  })
}

async function removeStored(world: World, names: readonly StoredName[]): Promise<void> {
  for (const { kind, id } of names) await world.blobs.remove(blobKey(kind, id))
}
