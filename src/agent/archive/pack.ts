import { type Duplex, Readable } from 'node:stream'
import type { PlaceFiles } from '#agent/executors/place-files.ts'
import { type Guard, type Limits, openGuard, shown } from './guard.ts'
import { frameBytes } from './frames.ts'
import { packed } from './packed.ts'
import { pour, release } from './pour.ts'
import { globalRecord } from './tar-header.ts'
import { openTar } from './tar-parts.ts'

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
  /** Gives pieces that are the reader's own. */
  readonly stream: Readable
  /** What is in it: known when the stream has ended. */
  readonly guard: Guard
}

/** The record that says to which folder the files after it belong. */
export const rootRecord = 'roundhouse.root'

/** What the packer is given and gives at a time: each piece costs it a turn of its thread. */
export const pieceBytes = 256 * 1024

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
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of packed(gathered(bytes(), frameBytes))) {
      stored += piece.length
      yield piece
    }
  }
  return { stream: Readable.from(counted(), { highWaterMark: 0 }), guard }
}

/** The same bytes in pieces of a size, hardly any of which are smaller. Those that have it already are not copied. */
async function* gathered(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let into: Buffer | undefined
  let filled = 0
  for await (const piece of source) {
    if (piece.length === size) {
      if (into) yield into.subarray(0, filled)
      into = undefined
      filled = 0
      yield piece
      continue
    }
    for (let at = 0; at < piece.length;) {
      into ??= Buffer.allocUnsafeSlow(size)
      const count = piece.copy(into, filled, at)
      at += count
      filled += count
      if (filled < size) continue
      yield into
      into = undefined
      filled = 0
    }
    release(piece)
  }
  if (into) yield into.subarray(0, filled)
}

/** Feeds a packer to its end; whoever reads from it hears of a failure. */
export function fill(into: Duplex, source: AsyncIterable<Buffer>): void {
  pour(source, into).then(
    () => into.end(),
    (error: Error) => into.destroy(error),
  )
}

async function* checked(
  archive: AsyncIterable<Buffer>,
  guard: Guard,
  stored: () => number,
  tell: (line: string) => void,
): AsyncGenerator<Buffer> {
  const tar = openTar()
  let leftOut = false
  for await (const chunk of archive) {
    const pieces: Buffer[] = []
    const isFresh = !tar.isHolding()
    let size = 0
    for (const part of tar.take(chunk)) {
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
    }
    // Nothing was left out of it, nor held back for the next: it goes on as it came.
    if (isFresh && size === chunk.length && !tar.isHolding()) yield chunk
    else if (size > 0) yield Buffer.concat(pieces)
  }
  tar.end()
}
