import type { UserId } from '#core/ids.ts'
import { type Instant, later } from '#kit/brand.ts'
import {
  deleteOpenPush,
  forgetWaiting,
  insertOpenPush,
  notePipelines,
  openPushes,
  waitingPushes,
} from '#server/store/open-pushes.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
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
    .execute((tx) =>
      insertOpenPush(tx, { id, project_id: project.id, actor_id: actor, since: world.now(), pipelines: null }),
    )
  return {
    /** Its pipelines are made. It is over, unless somebody waits to hear how they end: then that is still to be told. */
    async made(pipelines: readonly PipelineRow[], waits: boolean): Promise<void> {
      if (!waits || pipelines.length === 0) return this.end()
      const ids = pipelines.map((row) => row.id)
      await world.db.transaction().execute((tx) => notePipelines(tx, id, ids))
    },
    async end(): Promise<void> {
      await world.db.transaction().execute((tx) => deleteOpenPush(tx, id))
      pushing.delete(id)
    },
  }
}

/** So long somebody may come back and hear how a push ended whose server died. */
const rememberedMs = 24 * 3_600_000

/** The pipelines of earlier pushes of the same person, who waited and was not told how they end as the server died. They are told once. */
export async function untoldPipelines(
  { world, pushing }: App,
  project: ProjectRow,
  actor: UserId | null,
): Promise<readonly PipelineRow[]> {
  const pushes = actor === null ? [] : await waitingPushes(world.db, project.id, actor)
  const rows: PipelineRow[] = []
  for (const push of pushes.filter(({ id }) => !pushing.has(id))) {
    for (const id of JSON.parse(push.pipelines ?? '[]') as readonly string[]) {
      const row = await pipelineById(world.db, { id })
      if (row) rows.push(row)
    }
    await world.db.transaction().execute((tx) => deleteOpenPush(tx, push.id))
  }
  return rows
}

/** Forgets who waited too long ago. */
export const tidyPushes = ({ world }: App): Promise<void> =>
  world.db.transaction().execute((tx) => forgetWaiting(tx, later(world.now(), -rememberedMs)))

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
