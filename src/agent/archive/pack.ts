import { pipeline, Readable, Transform } from 'node:stream'
import { constants, createZstdCompress } from 'node:zlib'
import type { PlaceFiles } from '#agent/executors/place-files.ts'
import { type Guard, type Limits, openGuard, shown } from './guard.ts'
import { globalRecord } from './tar-header.ts'
import { tarParts } from './tar-parts.ts'

/** Some files of a place below one folder. */
export interface Bundle {
  /** The folder, as the place names it. */
  readonly root: string
  /** Relative to it. */
  readonly paths: readonly string[]
  /** What the archive says of the folder to whoever unpacks it; nothing where that is known anyway. */
  readonly label?: string
}

/** An archive on its way out. */
export interface Packed {
  readonly stream: Readable
  /** What is in it: known when the stream has ended. */
  readonly guard: Guard
}

/** The record that says to which folder the files after it belong. */
export const rootRecord = 'roundhouse.root'

/** Small pieces are gathered up to this size: each costs the packer a turn of its thread. */
const gathered = 256 * 1024

/**
 * Packs files as one stream of tar in zstd, never more of it in memory than a few pieces. What cannot be in an archive
 * (devices, pipes) is left out and told; what must not be in one fails the stream.
 */
export function packBundles(
  files: PlaceFiles,
  bundles: readonly Bundle[],
  limits: Limits,
  tell: (line: string) => void,
): Packed {
  const guard = openGuard(limits)
  let stored = 0
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const { root, paths, label } of bundles) {
      if (label !== undefined) yield globalRecord(rootRecord, label)
      const archive = files.pack(root, paths)
      try {
        yield* checked(archive, guard, () => stored, tell)
      } finally {
        archive.destroy()
      }
    }
    // Two blocks of zeros end an archive.
    yield Buffer.alloc(1024)
  }
  const zstd = createZstdCompress({
    chunkSize: gathered,
    params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 3 },
  })
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      stored += chunk.length
      done(null, chunk)
    },
  })
  // A failure of any of them ends the last one, whose reader hears of it.
  const stream = pipeline(
    Readable.from(bytes(), { objectMode: false, highWaterMark: gathered }),
    zstd,
    counted,
    () => {},
  )
  return { stream, guard }
}

async function* checked(
  archive: AsyncIterable<Buffer>,
  guard: Guard,
  stored: () => number,
  tell: (line: string) => void,
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let size = 0
  let leftOut = false
  for await (const part of tarParts(archive)) {
    if (part.type === 'records') continue
    if (part.type === 'entry') {
      leftOut = part.entry.type === 'other'
      if (leftOut) tell(`Warning: could not archive ${shown(part.entry.name)} - it is no file, folder or link\n`)
      else guard.admit(part.entry)
    }
    if (leftOut) continue
    const piece = part.type === 'entry' ? part.head : part.bytes
    if (part.type === 'content') guard.count(piece.length, stored())
    pieces.push(piece)
    size += piece.length
    if (size < gathered) continue
    yield pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    pieces = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pieces)
}
