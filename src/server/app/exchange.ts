import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from '#kit/refusal.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { type Stored, storeBytes, tooLarge } from './storage.ts'
import type { World } from './world.ts'

/*
 * An agent on our own disk has an exchange folder beside its jobs, where they cannot reach. A file that one of us lays
 * there the other takes by a link: not a byte of it is copied or sent.
 */

const pathOf = (world: World, lease: LeaseRow, file: string): string => {
  const jobs = world.foldersOf(lease.agent_id)
  if (jobs === undefined) throw asked()
  return join(dirname(jobs), 'exchange', file)
}

const asked = () => new Refusal('conflict', 'Cannot look into the files of this agent: send the bytes')

/** Lays something stored where its agent finds it; refuses where that cannot be done without copying it. */
export async function lend(world: World, lease: LeaseRow, stored: Stored, file: string): Promise<number> {
  if (!(await world.blobs.lend(stored.key, pathOf(world, lease, file)))) throw asked()
  return stored.size
}

/** An archive that the agent has laid into its exchange folder, durable already. */
export interface HandedIn {
  readonly file: string
}

/** Puts an archive away, durable when it resolves, and says how many bytes it has. Too many are refused and leave nothing. */
export function storeArchive(
  world: World,
  lease: LeaseRow,
  key: string,
  bytes: AsyncIterable<Buffer> | HandedIn,
): Promise<number> {
  const most = world.terms.storage.mostStoredBytes
  return 'file' in bytes ? takeFile(world, lease, key, bytes.file, most) : storeBytes(world, key, bytes, most)
}

async function takeFile(world: World, lease: LeaseRow, key: string, file: string, most: number): Promise<number> {
  const path = pathOf(world, lease, file)
  const size = (await stat(path).catch(() => undefined))?.size
  if (size === undefined) throw asked()
  if (size > most) throw tooLarge(most)
  if (!(await world.blobs.adopt(key, path))) throw asked()
  return size
}
