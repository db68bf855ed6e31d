import type { Transform } from 'node:stream'
import { BrokenArchive } from './broken.ts'
import { releaseAll } from './pour.ts'

/**
 * What a packer or unpacker makes of these bytes, which are ours and are released; more than so much is held to be broken. With the
 * functions of Node that do the same, each frame waits for a thread twice, as they also ask for what comes after the end.
 */
export function inOneGo(worker: Transform, bytes: Buffer, most: number): Promise<Buffer> {
  const made: Buffer[] = []
  let size = 0
  return new Promise<Buffer>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('data', (piece: Buffer) => {
      made.push(piece)
      size += piece.length
      if (size > most) worker.destroy(new BrokenArchive('a frame is longer than it says'))
    })
    worker.write(bytes, (error) => {
      if (error) reject(error)
      else resolve(made.length === 1 ? made[0]! : Buffer.concat(made))
    })
  }).finally(() => {
    worker.destroy()
    releaseAll(bytes)
  })
}
