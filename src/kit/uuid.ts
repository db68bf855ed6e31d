/** A UUID of version 7: sorts by the time it was made, so that indexes grow at one end. */
export function uuidv7(now: number = Date.now()): string {
  const from = nextRandom()
  const { at, count } = tick(now, pool[from + 7]!)
  // Written out, as everything that is kept has such an id.
  const [high, low, version] = [Math.floor(at / 2 ** 32), at >>> 0, 0x7000 | count]
  return (
    `${hex[high >>> 8]}${hex[high & 255]}${hex[low >>> 24]}${hex[(low >>> 16) & 255]}-` +
    `${hex[(low >>> 8) & 255]}${hex[low & 255]}-${hex[version >>> 8]}${hex[version & 255]}-` +
    `${hex[(pool[from + 8]! & 0x3f) | 0x80]}${hex[pool[from + 9]!]}-` +
    `${hex[pool[from + 10]!]}${hex[pool[from + 11]!]}${hex[pool[from + 12]!]}` +
    `${hex[pool[from + 13]!]}${hex[pool[from + 14]!]}${hex[pool[from + 15]!]}`
  )
}

let last = { at: 0, count: 0 }
const mostInTick = 0xfff

/**
 * Ids of one millisecond are counted from a random start, so that those of one process sort in the order in which they were made:
 * what happened first is told first. When there are too many, they borrow from the next millisecond.
 */
function tick(now: number, start: number): typeof last {
  const isBehind = now <= last.at && last.at - now < 1_000
  if (!isBehind) last = { at: now, count: start }
  else if (last.count < mostInTick) last = { at: last.at, count: last.count + 1 }
  else last = { at: last.at + 1, count: start }
  return last
}

// Asked of the system for many ids at once: one by one it takes longer than all the rest.
const pool = new Uint8Array(16 * 256)
let used = pool.length

/** Where sixteen random bytes begin in the pool that nobody has used. */
function nextRandom(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += 16
  return used - 16
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Sorts before every UUID of version 7 that is made at this time or later, and behind all that were made before. */
export function firstUuidAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID of any version. */
export const isUuid = (text: string): boolean => shape.test(text)
