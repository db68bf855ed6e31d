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

/** In words for people. */
export const fullDisk = 'The disk of the agent is full: what the job wrote could not be kept'

/** Why something failed, in words for people. */
export function sentence(error: unknown): string {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return fullDisk
  return error instanceof Error ? error.message : String(error)
}
