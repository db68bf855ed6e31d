import { statfsSync } from 'node:fs'

/** With less than this left, small files fail too. */
const leastFree = 64 * 1024

/** Whether nothing more can be written where a folder is. */
export function isDiskFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < leastFree
  } catch {
    return false
  }
}

/** How much must be left for a job to be begun, unless an operator says otherwise. */
export const usualLeastFree = 256 * 1024 ** 2

/** Why no job can be begun where a folder is, if its disk has less left than that. */
export function lackOfSpace(folder: string, least: number): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    // In steps, so that the words do not change with every file.
    return free < least ? `its disk is full: less than ${Math.ceil(least / 1024 ** 2)} MiB are left` : undefined
  } catch {
    return undefined
  }
}

/** In words for people. */
export const fullDisk = 'The disk of the agent is full: what the job wrote could not be kept'

/** Why something failed, in words for people. */
export function sentence(error: unknown): string {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return fullDisk
  return error instanceof Error ? error.message : String(error)
}
