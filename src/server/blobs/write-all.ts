import { open } from 'node:fs/promises'

/** Pieces from a network are small: so much of them is written at once. */
const gathered = 512 * 1024
/** After so much the disk is made to begin: a flush at the end of a large file would wait for all of it. */
const dirtyAt = 32 * 1024 * 1024

/** Writes a new file as its bytes come. They are on the disk when it resolves. */
export async function writeAll(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  let pieces: Uint8Array[] = []
  let size = 0
  let dirty = 0
  let flushing: Promise<void> | undefined
  const failures: unknown[] = []

  async function write(): Promise<void> {
    if (failures.length > 0) throw failures[0]
    if (size === 0) return
    let written = (await file.writev(pieces)).bytesWritten
    if (written < size) {
      const rest = Buffer.concat(pieces).subarray(written)
      while (written < size) written += (await file.write(rest, written - (size - rest.length))).bytesWritten
    }
    dirty += size
    pieces = []
    size = 0
    if (dirty < dirtyAt || flushing) return
    dirty = 0
    flushing = file
      .datasync()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => (flushing = undefined))
  }

  try {
    for await (const piece of bytes) {
      pieces.push(piece)
      size += piece.length
      if (size >= gathered) await write()
    }
    await write()
    await file.sync()
  } finally {
    await flushing
    await file.close()
  }
}
