import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const gibi = 2 ** 30
/** What `statfs` says of a file system that is kept in memory. */
const tmpfs = 0x01021994

/**
 * A folder in memory for what tests make and throw away, where the machine has plenty of it: nothing if not.
 * Each test on PostgreSQL makes and deletes a database of several hundred files, and ext4 looks through whatever was deleted
 * in the last minutes before it makes a new one: half of the processor time of such tests went there.
 */
export function openScratch(place = '/dev/shm'): string | undefined {
  if (!isRoomy(place)) return undefined
  const folder = mkdtempSync(join(place, 'roundhouse-'))
  // PostgreSQL runs as another user, who must be able to come by.
  chmodSync(folder, 0o755)
  if (runsPrograms(folder)) return folder
  rmSync(folder, { recursive: true })
  return undefined
}

/** What lies in memory is missing elsewhere: only where there is several times what tests keep there at once. */
function isRoomy(place: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(place)
    return type === tmpfs && bavail * bsize >= 4 * gibi && process.availableMemory() >= 6 * gibi
  } catch {
    return false
  }
}

/** Containers often have such a folder from which nothing may be executed. */
function runsPrograms(folder: string): boolean {
  const script = join(folder, 'try')
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(script)
  rmSync(script)
  return status === 0
}
