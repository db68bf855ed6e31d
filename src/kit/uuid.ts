/** A UUID of version 7: sorts by the time it was made, so that indexes grow at one end. */
export function uuidv7(now: number = Date.now()): string {
  const bytes = randomBytes()
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16)
  view.setUint16(0, Math.floor(now / 2 ** 32))
  view.setUint32(2, now >>> 0)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  let text = ''
  for (const [i, byte] of bytes.entries()) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-'
    text += hex[byte]
  }
  return text
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

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID of any version. */
export const isUuid = (text: string): boolean => shape.test(text)
