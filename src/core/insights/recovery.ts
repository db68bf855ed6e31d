import { type Runs, statusPlaces } from './runs.ts'

const [success, failed] = [statusPlaces.get('success'), statusPlaces.get('failed')]

/** How runs came back to success after failures. */
export interface Recovery {
  readonly failures: number
  readonly recoveries: number
  /** From the end of the first failure to the end of the next success, all together, in milliseconds. */
  readonly time: number
}

/**
 * A failure is over with the next success on its own branch: what another branch does tells nothing about it.
 * Further failures before that belong to the first one.
 */
export function recoveryOf({ status, started, duration, branch, branches }: Runs): Recovery {
  const broken = new Float64Array(branches.length).fill(Number.NaN)
  let [failures, recoveries, time] = [0, 0, 0]
  for (let i = 0; i < started.length; i += 1) {
    const how = status[i]
    if (how !== success && how !== failed) continue
    const end = (started[i] ?? 0) + (duration[i] ?? Number.NaN)
    if (Number.isNaN(end)) continue
    const on = branch[i] ?? 0
    const since = broken[on] ?? Number.NaN
    const isBroken = !Number.isNaN(since)
    if (how === failed && !isBroken) {
      broken[on] = end
      failures += 1
    } else if (how === success && isBroken) {
      broken[on] = Number.NaN
      recoveries += 1
      time += Math.max(0, end - since)
    }
  }
  return { failures, recoveries, time }
}

/** Mean time to recovery in whole seconds; null where nothing failed, or nothing has recovered yet. */
export const mttrOf = ({ recoveries, time }: Recovery): number | null =>
  recoveries === 0 ? null : Math.trunc(time / (recoveries * 1000))
