/** A UUID of version 7: sorts by the time it was made, so that indexes grow at one end. */
export function uuidv7(now: number = Date.now()): string {
  const bytes = randomBytes()
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16)
  const { at, count } = tick(now, bytes[7]!)
  view.setUint16(0, Math.floor(at / 2 ** 32))
  view.setUint32(2, at >>> 0)
  view.setUint16(6, 0x7000 | count)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  let text = ''
  for (const [i, byte] of bytes.entries()) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-'
    text += hex[byte]
  }
  return text
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

function randomBytes(): Uint8Array {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += 16
  return pool.subarray(used - 16, used)
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
