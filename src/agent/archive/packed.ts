import { constants, createZstdCompress } from 'node:zlib'
import { inOneGo } from './in-one-go.ts'
import { releaseAll } from './pour.ts'

/** Frames at once; the next one is filled meanwhile. */
const atOnce = 2

const params = { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 3 }

/** Each piece as a frame by itself, in their order, several being packed beside each other. The pieces are ours: they are released when packed. */
export async function* packed(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const underWay: Promise<Buffer>[] = []
  try {
    for await (const piece of pieces) {
      underWay.push(frameOf(piece))
      // Who comes to it hears of its failure.
      underWay.at(-1)?.catch(() => {})
      if (underWay.length >= atOnce) yield* given(underWay)
    }
    while (underWay.length > 0) yield* given(underWay)
  } finally {
    await Promise.allSettled(underWay)
  }
}

async function* given(underWay: Promise<Buffer>[]): AsyncGenerator<Buffer> {
  const next = underWay.shift()
  if (next) yield await next
}

async function frameOf(piece: Buffer): Promise<Buffer> {
  // Room for what cannot be made smaller: with less it would be packed in several goes, each by way of a copy.
  const most = piece.length + (piece.length >> 8) + 1024
  const made = await inOneGo(createZstdCompress({ chunkSize: most, flush: constants.ZSTD_e_end, params }), piece, most)
  // A small part of its buffer, which nobody would give back.
  const frame = Buffer.allocUnsafeSlow(made.length)
  made.copy(frame)
  releaseAll(made)
  return frame
}
