import type { UserId } from '#core/ids.ts'
import { type Instant, later } from '#kit/brand.ts'
import { deleteOpenPush, insertOpenPush, openPushes } from '#server/store/open-pushes.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { App } from './app.ts'
import { receivePush } from './pushes.ts'

/** How long git may still be busy with a push whose server died. */
const patienceMs = 10 * 60_000

/** Writes down that git is about to take a push, so that a server that dies meanwhile is followed by one that looks. */
export async function beginPush({ world, pushing }: App, project: ProjectRow, actor: UserId | null) {
  const id = world.newId()
  pushing.add(id)
  await world.db
    .transaction()
    .execute((tx) => insertOpenPush(tx, { id, project_id: project.id, actor_id: actor, since: world.now() }))
  return {
    async end(): Promise<void> {
      await world.db.transaction().execute((tx) => deleteOpenPush(tx, id))
      pushing.delete(id)
    },
  }
}

/**
 * Looks after pushes that nobody here is serving: their server died, and git, which is a process of its own, may still be busy.
 * Several servers may do it at once, and with a push that another one is serving: what is noted twice is noted once.
 */
export async function watchPushes(app: App): Promise<void> {
  const { world } = app
  for (const push of await openPushes(world.db)) {
    if (app.pushing.has(push.id)) continue
    const project = await projectById(world.db, { id: push.project_id })
    if (project) await receivePush(world, app.findRevision, project, push.actor_id as UserId | null)
    if (later(push.since as Instant, patienceMs) < world.now())
      await world.db.transaction().execute((tx) => deleteOpenPush(tx, push.id))
  }
}
