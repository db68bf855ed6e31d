/** Waits that double from `first` to `most`, with up to a quarter of jitter so that many callers do not come back together. */
export function backoff(attempt: number, first: number, most: number, random: () => number = Math.random): number {
  const wait = Math.min(most, first * 2 ** Math.min(attempt, 30))
  return Math.round(wait * (0.75 + random() * 0.25))
}

/** Resolves after `ms`, or as soon as `signal` aborts: a waiter that must stop is not an error. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}
