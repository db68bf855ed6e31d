import { promisify } from 'node:util'
import { constants, createZstdCompress, zstdDecompress } from 'node:zlib'

/*
 * The seekable form of zstd: frames that can be unpacked alone, and behind them a table of their sizes in a frame that
 * every zstd program skips. So a packed log is also an ordinary .zst file.
 */

const frameBytes = 64 * 1024
const skippableMagic = 0x184d2a5e
const footerMagic = 0x8f92eab1
const footerBytes = 9

const decompress = promisify(zstdDecompress)

/** Gives the next bytes of something, as many as fit into the buffer unless there are no more; says how many. */
export type Fill = (buffer: Uint8Array) => Promise<number>

/** Packs bytes into frames and their table. One buffer and one compressor serve for all, so that a log of any size costs the same memory. */
export async function* packFrames(fill: Fill): AsyncGenerator<Uint8Array> {
  const sizes: (readonly [packed: number, unpacked: number])[] = []
  const buffer = Buffer.allocUnsafeSlow(frameBytes)
  const compressor = frameCompressor()
  try {
    for (let size = await fill(buffer); size > 0; size = await fill(buffer)) {
      const packed = await compressor.frame(buffer.subarray(0, size))
      sizes.push([packed.length, size])
      yield packed
    }
  } finally {
    compressor.close()
  }
  yield seekTable(sizes)
}

// A small window, as no frame is longer.
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: 16 }

/** Makes one frame after another: making a compressor for each took twice the time and four times the memory. */
function frameCompressor() {
  const stream = createZstdCompress({ chunkSize: frameBytes + 16 * 1024, params })
  let pieces: Buffer[] = []
  stream.on('data', (piece: Buffer) => pieces.push(piece))

  return {
    frame: (bytes: Uint8Array): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        stream.once('error', reject)
        stream.write(bytes)
        stream.flush(constants.ZSTD_e_end, () => {
          stream.off('error', reject)
          const [only, ...more] = pieces
          resolve(only && more.length === 0 ? only : Buffer.concat(pieces))
          pieces = []
        })
      }),
    close: () => stream.close(),
  }
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

/** Frames that are read and unpacked together: one is enough for whoever looks at a line, many are quicker for whoever reads on. */
const mostAtOnce = 16

interface Frame {
  readonly packedAt: number
  readonly packed: number
  readonly unpackedAt: number
}

/** Unpacks from a byte to the end, beginning with the frame that holds it. What comes next is unpacked while one is used. */
export async function* frameReader(file: RandomAccess, from: number): AsyncGenerator<Uint8Array> {
  const frames = (await framesOf(file)).filter(({ end }) => end > from)
  const batches: Frame[][] = []
  for (let at = 0, size = 1; at < frames.length; at += size, size = Math.min(size * 2, mostAtOnce))
    batches.push(frames.slice(at, at + size))
  let ahead = unpack(file, batches[0] ?? [])
  for (const index of batches.keys()) {
    const pieces = await ahead
    ahead = unpack(file, batches[index + 1] ?? [])
    // Whoever stops reading here never asks for it.
    ahead.catch(() => {})
    for (const { bytes, at } of pieces) yield bytes.subarray(Math.max(0, from - at))
  }
}

/** Frames that stand behind one another, each on a thread of its own as far as there are some. */
async function unpack(file: RandomAccess, frames: readonly Frame[]) {
  const [first, last] = [frames[0], frames.at(-1)]
  if (!first || !last) return []
  const packed = await file.read(first.packedAt, last.packedAt + last.packed)
  return Promise.all(
    frames.map(async (frame) => {
      const start = frame.packedAt - first.packedAt
      return { bytes: await decompress(packed.subarray(start, start + frame.packed)), at: frame.unpackedAt }
    }),
  )
}

async function framesOf(file: RandomAccess): Promise<readonly (Frame & { readonly end: number })[]> {
  const footer = Buffer.from(await file.read(file.size - footerBytes, file.size))
  if (footer.readUInt32LE(5) !== footerMagic) throw new Error('Cannot read a packed log: its table is missing')
  const count = footer.readUInt32LE(0)
  const table = Buffer.from(await file.read(file.size - footerBytes - count * 8, file.size - footerBytes))
  let packedAt = 0
  let unpackedAt = 0
  return Array.from({ length: count }, (_, i) => {
    const packed = table.readUInt32LE(i * 8)
    const frame = { packedAt, packed, unpackedAt, end: unpackedAt + table.readUInt32LE(i * 8 + 4) }
    packedAt += packed
    unpackedAt = frame.end
    return frame
  })
}
