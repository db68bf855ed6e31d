import { createZstdDecompress } from 'node:zlib'
import { BrokenArchive } from './broken.ts'
import { type Frame, openFrames } from './frames.ts'
import { inOneGo } from './in-one-go.ts'
import { fill, pieceBytes } from './pack.ts'
import { release, releaseAll } from './pour.ts'

/** Frames at once: two that are being unpacked while what was in a third is written. */
const atOnce = 3

/**
 * What is in a stored archive, piece by piece, in its order; a piece is gone when the next one is asked for. Frames are unpacked beside
 * each other; an archive of one frame, as others make them, as it comes.
 */
export async function* unpacked(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const frames = openFrames()
  const underWay: Promise<Buffer>[] = []
  let isFirst = true
  const source = readAhead(stored)
  try {
    for await (const chunk of source) {
      for (const frame of frames.take(chunk)) {
        if ('foreign' in frame) {
          if (!isFirst) throw new BrokenArchive('a frame of another kind')
          return yield* streamed(frame.foreign, source)
        }
        isFirst = false
        if (frame.size === 0) continue
        underWay.push(plain(frame))
        // Who comes to it hears of its failure.
        underWay.at(-1)?.catch(() => {})
        if (underWay.length >= atOnce) yield* given(underWay.shift())
      }
      release(chunk)
    }
    frames.end()
    while (underWay.length > 0) yield* given(underWay.shift())
  } finally {
    await Promise.allSettled(underWay)
  }
}

/** The same, the next being read while one is looked at. */
async function* readAhead(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const all = source[Symbol.asyncIterator]()
  let coming = all.next()
  try {
    for (;;) {
      const next = await coming
      if (next.done === true) return
      coming = all.next()
      // Who comes to it hears of its failure.
      coming.catch(() => {})
      yield next.value
    }
  } finally {
    // Not waited for: what is being read may never come.
    all.return?.().catch(() => {})
  }
}

async function* given(piece: Promise<Buffer> | undefined): AsyncGenerator<Buffer> {
  const bytes = await piece
  if (!bytes) return
  yield bytes
  releaseAll(bytes)
}

async function plain({ bytes, size }: Frame): Promise<Buffer> {
  // One more than it needs, or it is asked whether there is more.
  const made = await inOneGo(createZstdDecompress({ chunkSize: Math.max(64, size + 1) }), bytes, size)
  if (made.length < size) throw new BrokenArchive('a frame is shorter than it says')
  return made
}

/** One frame for all, its beginning already read. */
async function* streamed(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  async function* all(): AsyncGenerator<Buffer> {
    yield first
    yield* rest
  }
  // Counted in pieces: while one is written to its file the next is being unpacked.
  const options = { chunkSize: pieceBytes, readableObjectMode: true, readableHighWaterMark: 2 }
  const zstd = createZstdDecompress(options as Parameters<typeof createZstdDecompress>[0])
  try {
    fill(zstd, all())
    for await (const piece of zstd as AsyncIterable<Buffer>) {
      yield piece
      release(piece)
    }
  } finally {
    zstd.destroy()
  }
}
