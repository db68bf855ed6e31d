/**
 * Tries what must come before a limit with twice the limit each time, until it came: on a busy machine a first word may take longer than any
 * limit that one would wait for. `attempt` gives nothing where the limit was quicker.
 */
export async function inTime<T>(ms: number, attempt: (ms: number) => Promise<T | undefined>): Promise<T> {
  for (let limit = ms; limit <= ms * 64; limit *= 2) {
    const found = await attempt(limit)
    if (found !== undefined) return found
  }
  throw new Error(`Cannot wait for more than ${ms * 64} ms`)
}
