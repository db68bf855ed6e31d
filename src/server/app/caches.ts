import { dayMs } from '#core/insights/window.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import {
  cacheById,
  cacheByKey,
  type CacheRow,
  cachesOf,
  deleteCaches,
  keepCache,
  newestCache,
} from '#server/store/caches.ts'
import { countCacheUse } from '#server/store/cache-uses.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from './app.ts'
import { checkHeld } from './held.ts'
import type { PageOf } from './lists.ts'
import { type HandedIn, storeArchive } from './exchange.ts'
import { blobKey, daysFrom, type Stored, storedAt } from './storage.ts'
import { rightsOf } from './trust.ts'
import type { World } from './world.ts'

export type { CacheRow }

/** The cache that the first of these keys finds which finds any; `exact` keys mean themselves, others all that begin with them. With `more` keys to come nothing is missed yet. */
export async function findCache(
  world: World,
  lease: LeaseRow,
  keys: readonly string[],
  exact: boolean,
  more = false,
): Promise<{ readonly cache: CacheRow; readonly jobNumber: number | null } | undefined> {
  const now = world.now()
  for (const key of keys) {
    const wanted = { project: lease.project_id, key, now }
    const cache = exact ? await cacheByKey(world.db, wanted) : await newestCache(world.db, wanted)
    if (!cache) continue
    if (!exact) await countUse(world, lease, true)
    return { cache, jobNumber: (await jobById(world.db, { id: cache.job_id }))?.number ?? null }
  }
  if (!exact && !more) await countUse(world, lease, false)
  return undefined
}

/** Counts whether a step found something to restore; whoever is about to save and asks for its exact key restores nothing. */
const countUse = ({ db, now }: World, { project_id: project }: LeaseRow, found: boolean): Promise<unknown> => {
  const day = Math.floor(Date.parse(now()) / dayMs) * dayMs
  return db
    .transaction()
    .execute((tx) => countCacheUse(tx, { project, day, hits: found ? 1 : 0, misses: found ? 0 : 1 }))
}

/** The archive of a cache of the job's own project. */
export async function readCache(world: World, lease: LeaseRow, id: string): Promise<Stored> {
  const cache = await cacheById(world.db, { id })
  if (!cache || cache.project_id !== lease.project_id) throw new Refusal('not-found', 'Cache not found.')
  return storedAt(world, 'caches', cache)
}

/** Saves a cache, unless the key has one: keys are immutable (A6). */
export async function saveCache(
  { world, bodyOf }: App,
  lease: LeaseRow,
  key: string,
  bytes: AsyncIterable<Buffer> | HandedIn,
): Promise<{ readonly saved: boolean; readonly createdAt: string }> {
  const job = orNotFound(await jobById(world.db, { id: lease.job_id }), 'Job')
  const pipeline = orNotFound(await pipelineById(world.db, { id: job.pipeline_id }), 'Pipeline')
  if (!rightsOf(pipeline).savesCaches)
    throw new Refusal('forbidden', 'Cannot save a cache as the code must be of the project itself: it is not')
  const { storage } = world.terms
  const id = world.newId()
  const size = await storeArchive(world, lease, blobKey('caches', id), bytes)
  const created_at = world.now()
  const days = Math.min((await bodyOf(job)).cacheRetentionDays ?? storage.cacheDays, storage.cacheDays)
  const row = {
    id,
    project_id: lease.project_id,
    key,
    job_id: job.id,
    size,
    created_at,
    expires_at: daysFrom(created_at, days),
  }
  const { kept, gone } = await world.db.transaction().execute(async (tx) => {
    await checkHeld(tx, lease)
    return keepCache(tx, row)
  })
  // What no row names goes now; if we die before that, the sweep finds it.
  if (gone !== undefined) await world.blobs.remove(blobKey('caches', gone))
  if (kept.id !== id) await world.blobs.remove(blobKey('caches', id))
  return { saved: kept.id === id, createdAt: kept.created_at }
}

const pageSize = 20

/** The caches of a project, newest first. */
export async function listCaches(app: App, project: ProjectRow, token: string | undefined): Promise<PageOf<CacheRow>> {
  const list = `caches:${project.id}`
  const page = app.cursors.read(list, token, {})
  const rows = await cachesOf(app.world.db, project.id, app.world.now(), page?.after, pageSize + 1)
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  return {
    items,
    next: rows.length > pageSize && last ? app.cursors.write(list, { after: last.id, filter: {} }) : null,
  }
}

/** Forgets the caches of a project whose key begins so; says how many there were. Jobs that are restoring one get all of it. */
export async function clearCaches(world: World, project: ProjectRow, prefix = ''): Promise<number> {
  let deleted = 0
  for (;;) {
    const ids = await world.db.transaction().execute((tx) => deleteCaches(tx, project.id, prefix, 500))
    for (const id of ids) await world.blobs.remove(blobKey('caches', id))
    deleted += ids.length
    if (ids.length === 0) return deleted
  }
}
