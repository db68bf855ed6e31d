/** Keeps the most recently used answers of a costly pure function: `most` of them. */
export function remember<K, V>(most: number) {
  const kept = new Map<K, V>()
  return {
    get(key: K): V | undefined {
      const found = kept.get(key)
      if (found === undefined) return undefined
      // Moved to the young end, once there is somebody to make room for: a Map keeps the order of insertion.
      if (kept.size > most / 2) {
        kept.delete(key)
        kept.set(key, found)
      }
      return found
    },
    set(key: K, value: V): V {
      kept.set(key, value)
      const oldest = kept.keys().next()
      if (kept.size > most && !oldest.done) kept.delete(oldest.value)
      return value
    },
  }
}
