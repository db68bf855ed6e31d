import type { Writable } from 'node:stream'

/**
 * Gives back the memory of bytes that nobody will look at again: a collector that sees only small objects comes too
 * late, and a cache of any size would leave 60 MB of them. Views of a larger buffer are left alone up to its last one,
 * and so is the pool that small buffers share: it is told by its size, of which none of them has more than half.
 */
export function release({ buffer, byteOffset, byteLength }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < worthIt) return
  if (buffer.byteLength === Buffer.poolSize && byteLength < buffer.byteLength) return
  if (byteOffset + byteLength === buffer.byteLength) buffer.transfer(0)
}

/** The same for bytes of which nobody else has a view, wherever they end: all of their buffer goes, unless it is the pool. */
export function releaseAll({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}

/** Below this many bytes giving back costs more than it gains. */
const worthIt = 1024

/** Writes all of it, the next piece being made while one is written. The pieces are ours: they are released when written. */
export async function pour(source: AsyncIterable<Buffer> | Iterable<Buffer>, into: Writable): Promise<void> {
  let before: Promise<void> = Promise.resolve()
  for await (const piece of source) {
    const written = write(into, piece)
    // Awaited a turn later.
    written.catch(() => {})
    await before
    before = written
  }
  await before
}

const write = (into: Writable, piece: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    into.write(piece, (error) => {
      if (error) return reject(error)
      release(piece)
      resolve()
    })
  })
