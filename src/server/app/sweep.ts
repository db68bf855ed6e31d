import { deleteOver, storedAmong, type StoredKind, storedKinds } from '#server/store/stored.ts'
import { blobKey } from './storage.ts'
import type { World } from './world.ts'

const batch = 200
/** A blob is there before its row: only one that is older than any upload can have been left behind. */
const strayAfterMs = 24 * 60 * 60 * 1000

/** Removes what has been kept long enough: rows first, so that nobody is led to a blob that is gone. True when there may be more. */
export async function sweepStored(world: World): Promise<boolean> {
  let more = false
  for (const kind of storedKinds) {
    const { rows, blobs } = await world.db.transaction().execute((tx) => deleteOver(tx, kind, world.now(), batch))
    for (const id of blobs) await world.blobs.remove(blobKey(kind, id))
    more ||= rows === batch
  }
  return more
}

/** Removes blobs that no row names: a server died between the two. Says how many. */
export async function sweepStrays(world: World): Promise<number> {
  let removed = 0
  for (const kind of storedKinds) {
    let some: string[] = []
    for await (const { key, changedAt } of world.blobs.list(`${kind}/`)) {
      if (changedAt > Date.parse(world.now()) - strayAfterMs) continue
      some.push(key.slice(kind.length + 1))
      if (some.length < batch) continue
      removed += await removeStrays(world, kind, some)
      some = []
    }
    removed += await removeStrays(world, kind, some)
  }
  if (removed > 0) world.log.info('Blobs were removed that nobody named', { removed })
  return removed
}

async function removeStrays(world: World, kind: StoredKind, ids: readonly string[]): Promise<number> {
  const named = await storedAmong(world.db, kind, ids)
  const strays = ids.filter((id) => !named.has(id))
  for (const id of strays) await world.blobs.remove(blobKey(kind, id))
  return strays.length
}
