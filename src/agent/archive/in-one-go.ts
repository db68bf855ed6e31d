import type { Transform } from 'node:stream'
import { releaseAll } from './pour.ts'

/**
 * What a packer or unpacker makes of these bytes, which are ours and are released. With the functions of Node that do the same, each
 * frame waits for a thread twice, as they also ask for what comes after the end; and what they answer may be part of a larger buffer.
 */
export function inOneGo(worker: Transform, bytes: Buffer): Promise<Buffer> {
  const made: Buffer[] = []
  return new Promise<Buffer>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('data', (piece: Buffer) => void made.push(piece))
    worker.write(bytes, (error) => {
      if (error) return reject(error)
      resolve(ownOf(made))
    })
  }).finally(() => {
    worker.destroy()
    releaseAll(bytes)
  })
}

/** The same bytes in a buffer of their own. */
function ownOf(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces
  if (pieces.length === 1 && only && only.length === only.buffer.byteLength) return only
  const own = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) at += piece.copy(own, at)
  if (only) releaseAll(only)
  return own
}
