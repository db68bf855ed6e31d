import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'

/*
 * The seekable form of zstd: frames that can be unpacked alone, and behind them a table of their sizes in a frame that
 * every zstd program skips. So a packed log is also an ordinary .zst file.
 */

const frameBytes = 256 * 1024
const skippableMagic = 0x184d2a5e
const footerMagic = 0x8f92eab1
const footerBytes = 9

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Packs a stream of bytes into frames and their table. */
export async function* packFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const sizes: (readonly [packed: number, unpacked: number])[] = []
  for await (const bytes of inFrames(source)) {
    const packed = await compress(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })
    sizes.push([packed.length, bytes.length])
    yield packed
  }
  yield seekTable(sizes)
}

async function* inFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    let rest = chunk
    while (size + rest.length >= frameBytes) {
      const take = frameBytes - size
      yield Buffer.concat([...held, rest.subarray(0, take)])
      rest = rest.subarray(take)
      held = []
      size = 0
    }
    // Copied: the reader's buffer may be used again before the frame is full.
    if (rest.length > 0) held.push(Uint8Array.from(rest))
    size += rest.length
  }
  if (size > 0) yield Buffer.concat(held)
}

function seekTable(sizes: readonly (readonly [number, number])[]): Uint8Array {
  const table = Buffer.alloc(8 + sizes.length * 8 + footerBytes)
  table.writeUInt32LE(skippableMagic, 0)
  table.writeUInt32LE(table.length - 8, 4)
  for (const [i, [packed, unpacked]] of sizes.entries()) {
    table.writeUInt32LE(packed, 8 + i * 8)
    table.writeUInt32LE(unpacked, 12 + i * 8)
  }
  table.writeUInt32LE(sizes.length, table.length - 9)
  table.writeUInt8(0, table.length - 5)
  table.writeUInt32LE(footerMagic, table.length - 4)
  return table
}

/** Bytes that can be read at any place. */
export interface RandomAccess {
  readonly size: number
  /** The bytes from `start` up to, not with, `end`. */
  read(start: number, end: number): Promise<Uint8Array>
}

/** Unpacks from a byte to the end, beginning with the frame that holds it. */
export async function* frameReader(file: RandomAccess, from: number): AsyncGenerator<Uint8Array> {
  const footer = Buffer.from(await file.read(file.size - footerBytes, file.size))
  if (footer.readUInt32LE(5) !== footerMagic) throw new Error('Cannot read a packed log: its table is missing')
  const count = footer.readUInt32LE(0)
  const table = Buffer.from(await file.read(file.size - footerBytes - count * 8, file.size - footerBytes))
  let packedAt = 0
  let unpackedAt = 0
  for (let i = 0; i < count; i++) {
    const packed = table.readUInt32LE(i * 8)
    const unpacked = table.readUInt32LE(i * 8 + 4)
    if (unpackedAt + unpacked > from) {
      const bytes = await decompress(await file.read(packedAt, packedAt + packed))
      yield bytes.subarray(Math.max(0, from - unpackedAt))
    }
    packedAt += packed
    unpackedAt += unpacked
  }
}
