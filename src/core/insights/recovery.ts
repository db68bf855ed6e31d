import type { Run } from './run.ts'

/** How runs came back to success after failures. */
export interface Recovery {
  readonly failures: number
  readonly recoveries: number
  /** From the end of the first failure to the end of the next success, all together, in milliseconds. */
  readonly time: number
}

/**
 * Looks at runs in the order in which they began. A failure is over with the next success on its own branch:
 * what another branch does tells nothing about it. Further failures before that belong to the first one.
 */
export function recoveryOf(ordered: readonly Run[]): Recovery {
  const broken = new Map<string, number>()
  let [failures, recoveries, time] = [0, 0, 0]
  for (const { status, started, duration, branch } of ordered) {
    if (duration === null) continue
    const end = started + duration
    if (status === 'failed' && !broken.has(branch)) {
      broken.set(branch, end)
      failures += 1
    }
    if (status !== 'success') continue
    const since = broken.get(branch)
    if (since === undefined) continue
    broken.delete(branch)
    recoveries += 1
    time += Math.max(0, end - since)
  }
  return { failures, recoveries, time }
}

/** Mean time to recovery in whole seconds; null where nothing failed, or nothing has recovered yet. */
export const mttrOf = ({ recoveries, time }: Recovery): number | null =>
  recoveries === 0 ? null : Math.trunc(time / recoveries / 1000)
