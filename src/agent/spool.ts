import { type FileHandle, open } from 'node:fs/promises'

/** Reads a file that grows, from its beginning, into buffers that are used again. */
export interface Spool extends AsyncDisposable {
  /** The next bytes, `most` at a time and none from `end` on; undefined when there are no more for now. Valid until the next call. */
  read(most: number, end: number): Promise<Buffer | undefined>
}

// Allocating buffers for every step would leave the collecting to chance; so they are passed from one step to the next.
const spare: Buffer[] = []

interface Piece {
  readonly buffer: Buffer
  readonly size: number
}

/** Opens the file when it is first there. Where there is much, the next piece is read while the last one is looked at. */
export function openSpool(path: string): Spool {
  let handle: FileHandle | undefined
  let lent: Buffer | undefined
  let ahead: Promise<Piece> | undefined
  let at = 0

  async function piece(file: FileHandle, from: number, most: number): Promise<Piece> {
    const kept = spare.pop()
    const buffer = kept && kept.length >= most ? kept : Buffer.allocUnsafeSlow(most)
    const { bytesRead } = await file.read(buffer, 0, most, from)
    return { buffer, size: bytesRead }
  }

  function giveBack(buffer: Buffer | undefined): void {
    if (buffer && spare.length < 8) spare.push(buffer)
  }

  /** What was read ahead, unless that was before there was anything. */
  async function next(file: FileHandle, most: number): Promise<Piece> {
    const early = await ahead
    ahead = undefined
    if (early && early.size > 0) return early
    giveBack(early?.buffer)
    return piece(file, at, most)
  }

  return {
    async read(most, end) {
      giveBack(lent)
      lent = undefined
      if (at >= end) return undefined
      handle ??= await open(path, 'r').catch(() => undefined)
      if (!handle) return undefined
      const { buffer, size } = await next(handle, Math.min(most, end - at))
      lent = buffer
      const taken = Math.min(size, most, end - at)
      at += taken
      if (taken === most && at < end) {
        ahead = piece(handle, at, Math.min(most, end - at))
        // Told to whoever reads next, if anybody does.
        ahead.catch(() => {})
      }
      return taken === 0 ? undefined : buffer.subarray(0, taken)
    },
    async [Symbol.asyncDispose]() {
      giveBack(lent)
      giveBack((await ahead?.catch(() => undefined))?.buffer)
      lent = ahead = undefined
      await handle?.close()
      handle = undefined
    },
  }
}
