import type { BlobFile } from '#server/blobs/blobs.ts'
import { type LogName, rangesFrom, type RangeRow } from '#server/store/log-ranges.ts'
import { pieceKey, spoolKey } from './log-keys.ts'
import type { World } from './world.ts'

/** Reads the pieces of a log that is still in pieces, from its first byte to its last, into memory of the reader's. */
export function pieceReader(world: World, log: LogName, pass: (range: RangeRow) => void) {
  let at = 0
  let ranges: RangeRow[] = []
  let open: { readonly key: string; readonly file: BlobFile } | undefined

  async function fileOf(range: RangeRow): Promise<BlobFile> {
    const key = range.at === null ? pieceKey(log, range.start) : spoolKey(log)
    if (open?.key === key) return open.file
    await open?.file[Symbol.asyncDispose]()
    open = undefined
    const file = await world.blobs.open(key)
    if (!file) throw new Error(`Cannot read a piece of a log: blob ${key} is gone`)
    open = { key, file }
    return file
  }

  async function readPiece(range: RangeRow, buffer: Uint8Array): Promise<number> {
    const skip = at - range.start
    const wanted = Math.min(buffer.length, range.size - skip)
    if (range.bytes !== null) {
      buffer.set(range.bytes.subarray(skip, skip + wanted))
      return wanted
    }
    const read = await (await fileOf(range)).read(buffer.subarray(0, wanted), (range.at ?? 0) + skip)
    if (read === 0) throw new Error(`Cannot read a piece of the log of job ${log.job}: it is shorter than it was`)
    return read
  }

  return {
    async fill(buffer: Uint8Array): Promise<number> {
      let filled = 0
      while (filled < buffer.length) {
        const [range] = ranges
        if (!range) {
          ranges = await rangesFrom(world.db, log, at)
          ranges.forEach(pass)
          if (ranges.length === 0) break
          continue
        }
        const read = await readPiece(range, buffer.subarray(filled))
        filled += read
        at += read
        if (at >= range.start + range.size) ranges.shift()
      }
      return filled
    },
    async [Symbol.asyncDispose]() {
      await open?.file[Symbol.asyncDispose]()
    },
  }
}
