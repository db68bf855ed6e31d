/**
 * Wakes up whoever waits for something. It carries a topic and nothing else and may be lost:
 * the tables are the truth, and every waiter also looks by itself now and then.
 */
export interface Bell {
  /** Somebody who waits for `topic` should look again. */
  ring(topic: string): void
  /** Calls `heard` for every ring of the topic until the returned function is called. */
  listen(topic: string, heard: () => void): () => void
  /** Calls `heard` with every topic that is rung. */
  listenToAll(heard: (topic: string) => void): () => void
}

/** The bell of a single process. */
export function localBell(): Bell {
  const listeners = new Map<string, Set<() => void>>()
  const curious = new Set<(topic: string) => void>()
  return {
    ring(topic) {
      for (const heard of listeners.get(topic) ?? []) heard()
      for (const heard of curious) heard(topic)
    },
    listen(topic, heard) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known)
      known.add(heard)
      return () => {
        known.delete(heard)
        if (known.size === 0 && listeners.get(topic) === known) listeners.delete(topic)
      }
    },
    listenToAll(heard) {
      curious.add(heard)
      return () => curious.delete(heard)
    },
  }
}

/**
 * Looks again and again until `look` finds something, woken by any of the topics, or until time or patience ends.
 * Listens before it looks, so that nothing rung in between is missed.
 */
export async function waitFor<T>(
  bell: Bell,
  topics: readonly string[],
  look: () => Promise<T | undefined>,
  until: { readonly ms: number; readonly signal: AbortSignal },
): Promise<T | undefined> {
  let wake = () => {}
  let rung = false
  const heard = () => {
    rung = true
    wake()
  }
  const quiet = topics.map((topic) => bell.listen(topic, heard))
  // Not the time of day, which may be set by hours while somebody waits.
  const deadline = performance.now() + until.ms
  try {
    for (;;) {
      rung = false
      const found = await look()
      if (found !== undefined) return found
      const left = deadline - performance.now()
      if (left <= 0 || until.signal.aborted) return undefined
      if (rung) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, Math.min(left, 5_000))
        function done() {
          clearTimeout(timer)
          until.signal.removeEventListener('abort', done)
          resolve()
        }
        wake = done
        until.signal.addEventListener('abort', done, { once: true })
      })
    }
  } finally {
    for (const stop of quiet) stop()
  }
}
