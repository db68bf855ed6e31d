/** What is left to somebody who took from a bucket, or did not get anything. */
export interface Taken {
  readonly ok: boolean
  readonly remaining: number
  /** Seconds until there is one more. */
  readonly wait: number
  /** Seconds until the bucket is full again. */
  readonly reset: number
}

interface Bucket {
  level: number
  at: number
}

const mostBuckets = 20_000

/**
 * Token buckets by key: each holds `burst` and is filled by `perSecond`. Two maps take turns, so that whoever has not come
 * for a while is forgotten (and would be full by then) without anybody looking for them.
 */
export function buckets(perSecond: number, burst: number) {
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()
  let turned = 0
  const fillMs = (burst / perSecond) * 1000

  function find(key: string, now: number): Bucket {
    const known = young.get(key)
    if (known) return known
    if (now - turned > fillMs || young.size >= mostBuckets) {
      old = young
      young = new Map()
      turned = now
    }
    const bucket = old.get(key) ?? { level: burst, at: now }
    young.set(key, bucket)
    return bucket
  }

  return {
    burst,
    /** Takes one, at a time in milliseconds. */
    take(key: string, now: number): Taken {
      const bucket = find(key, now)
      bucket.level = Math.min(burst, bucket.level + (Math.max(0, now - bucket.at) / 1000) * perSecond)
      bucket.at = now
      const ok = bucket.level >= 1
      if (ok) bucket.level -= 1
      return {
        ok,
        remaining: Math.floor(bucket.level),
        wait: ok ? 0 : Math.max(1, Math.ceil((1 - bucket.level) / perSecond)),
        reset: Math.ceil((burst - bucket.level) / perSecond),
      }
    },
  }
}

export type Buckets = ReturnType<typeof buckets>
