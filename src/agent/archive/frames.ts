import { BrokenArchive } from './broken.ts'

/*
 * Archives are stored as many small frames of zstd, one after another, each of which says how much is in it: so several of them can
 * be unpacked at once, by several threads. This finds where each of them ends (RFC 8878, section 3.1.1).
 */

/** So much of an archive is in one frame. What is stored is a tenth larger than in one frame for all; with more in each, the agent would be. */
export const frameBytes = 512 * 1024
/** More is not held in memory: such a frame was made by others, or by an agent of before, and is unpacked as it comes. */
const mostInFrame = 1024 * 1024
const magic = 0xfd2fb528
/** Magic number and descriptor; and the longest header, until it is known how long the rest may be. */
const [firstBytes, mostHead] = [5, 18]

/** A frame, whole, and how much is in it. */
export interface Frame {
  readonly bytes: Buffer
  readonly size: number
}

/** Cuts an archive into its frames. */
export function openFrames() {
  let bytes = Buffer.alloc(mostHead)
  let filled = 0
  let size = 0
  let hasChecksum = false
  let step: () => Frame | 'foreign' | undefined = readDescriptor
  let wanted = firstBytes

  function begin(): void {
    bytes = Buffer.alloc(mostHead)
    filled = 0
    wanted = firstBytes
    step = readDescriptor
  }

  function readDescriptor(): 'foreign' | undefined {
    const descriptor = bytes[4] ?? 0
    const isOneSegment = (descriptor & 0x20) !== 0
    const hasDictionary = (descriptor & 3) !== 0
    if (bytes.readUInt32LE(0) !== magic || !isOneSegment || hasDictionary) return 'foreign'
    hasChecksum = (descriptor & 4) !== 0
    const sizeBytes = [1, 2, 4, 8][descriptor >> 6] ?? 8
    wanted = firstBytes + sizeBytes
    step = () => readSize(sizeBytes)
    return undefined
  }

  function readSize(sizeBytes: number): 'foreign' | undefined {
    // Two bytes begin where one ends.
    size = sizeBytes === 8 ? Number(bytes.readBigUInt64LE(firstBytes)) : bytes.readUIntLE(firstBytes, sizeBytes)
    if (sizeBytes === 2) size += 256
    if (size > mostInFrame) return 'foreign'
    // Nothing becomes longer by being packed, but for its headers.
    const whole = Buffer.allocUnsafe(size + (size >> 7) + 512)
    bytes.copy(whole, 0, 0, filled)
    bytes = whole
    wanted = filled + 3
    step = readBlock
    return undefined
  }

  function readBlock(): undefined {
    const header = bytes.readUIntLE(filled - 3, 3)
    const isRepeated = ((header >> 1) & 3) === 1
    const length = isRepeated ? 1 : header >> 3
    const isLast = (header & 1) === 1
    wanted = filled + length + (isLast ? (hasChecksum ? 4 : 0) : 3)
    if (wanted > bytes.length) throw new BrokenArchive('a frame is longer than it says')
    step = isLast ? end : readBlock
  }

  function end(): Frame {
    const frame = { bytes: bytes.subarray(0, filled), size }
    begin()
    return frame
  }

  return {
    /** The frames that end in these bytes. One that is not ours is told as the bytes that were held back of it: it begins with them. */
    *take(chunk: Buffer): Generator<Frame | { readonly foreign: Buffer }> {
      let at = 0
      do {
        const count = Math.min(wanted - filled, chunk.length - at)
        chunk.copy(bytes, filled, at, at + count)
        filled += count
        at += count
        if (filled < wanted) return
        const found = step()
        if (found === 'foreign')
          return yield { foreign: Buffer.concat([bytes.subarray(0, filled), chunk.subarray(at)]) }
        if (found) yield found
      } while (at < chunk.length || filled === wanted)
    },
    /** To be called when there is no more. */
    end(): void {
      if (filled > 0) throw new BrokenArchive('it ends too early')
    },
  }
}
