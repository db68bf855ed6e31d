import { pause } from '#kit/backoff.ts'

/**
 * Looks again and again until `look` gives something, and says what was waited for when it does not in time.
 * A server that is down is no news: whoever waits for it to come back sees nothing until then.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  ms = 180_000,
  everyMs = 50,
): Promise<T> {
  const end = Date.now() + ms
  let trouble = ''
  while (Date.now() < end) {
    try {
      const found = await look()
      if (found !== undefined) return found
      trouble = ''
    } catch (error) {
      if (!(error instanceof TypeError) && !isTransport(error)) throw error
      trouble = `: ${String(error)}`
    }
    await pause(everyMs)
  }
  throw new Error(`Cannot wait any longer than ${ms} ms until ${what}${trouble}`)
}

/** Whether the server was not there, or went away in the middle; `fetch` says both by a TypeError, or by a bare name. */
export function isTransport(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    (error instanceof Error && /abort|terminated|timeout/i.test(`${error.name} ${error.message}`))
  )
}
