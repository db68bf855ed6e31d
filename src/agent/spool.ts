import { type FileHandle, open } from 'node:fs/promises'

/** Reads a file that grows, from its beginning, into buffers that are used again. */
export interface Spool extends AsyncDisposable {
  /** The next bytes, `most` at a time and none from `end` on; undefined when there are no more for now. Valid until the next call. */
  read(most: number, end: number): Promise<Buffer | undefined>
}

// Allocating a buffer for every step would leave the collecting to chance; so they are passed from one step to the next.
const spare: Buffer[] = []

/** Opens the file when it is first there. */
export function openSpool(path: string): Spool {
  let handle: FileHandle | undefined
  let buffer: Buffer | undefined
  let at = 0

  return {
    async read(most, end) {
      if (at >= end) return undefined
      handle ??= await open(path, 'r').catch(() => undefined)
      if (!handle) return undefined
      buffer ??= spare.pop()
      if (!buffer || buffer.length < most) buffer = Buffer.allocUnsafeSlow(most)
      const { bytesRead } = await handle.read(buffer, 0, Math.min(most, end - at), at)
      at += bytesRead
      return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead)
    },
    async [Symbol.asyncDispose]() {
      if (buffer && spare.length < 8) spare.push(buffer)
      buffer = undefined
      await handle?.close()
      handle = undefined
    },
  }
}
