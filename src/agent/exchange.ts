import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { release } from './archive/pour.ts'

/** A folder that an agent shares with a server on the same disk: what one lays there the other takes by a link. Jobs cannot reach it. */
export interface Exchange {
  /** A name that nothing has yet. */
  newName(): string
  /** Writes a file; it is on the disk when this resolves. The pieces are ours: they are released when written. */
  write(name: string, pieces: AsyncIterable<Buffer>): Promise<void>
  /** The bytes of a file, each piece the reader's own. The file is removed when it has been opened. */
  read(name: string): AsyncGenerator<Buffer>
  remove(name: string): Promise<void>
}

const pieceBytes = 256 * 1024
/** After so much the disk is made to begin: a flush at the end of a large file would wait for all of it. */
const dirtyAt = 32 * 1024 * 1024

/** Opens the folder of an agent that begins: what an earlier process left there is of no use to anybody. */
export function openExchange(folder: string): Exchange {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true })
  return {
    newName: () => randomBytes(16).toString('hex'),
    async write(name, pieces) {
      await using file = await open(join(folder, name), 'wx', 0o600)
      let dirty = 0
      let flushing: Promise<void> | undefined
      try {
        for await (const piece of pieces) {
          await writeWhole(file, piece)
          dirty += piece.length
          release(piece)
          if (dirty < dirtyAt || flushing) continue
          dirty = 0
          // What fails now fails again at the end.
          flushing = file.datasync().catch(() => {})
          void flushing.finally(() => (flushing = undefined))
        }
        await file.sync()
      } finally {
        await flushing
      }
    },
    async *read(name) {
      await using file = await open(join(folder, name), 'r')
      await rm(join(folder, name), { force: true })
      for (;;) {
        const piece = Buffer.allocUnsafeSlow(pieceBytes)
        const { bytesRead } = await file.read(piece, 0, piece.length)
        if (bytesRead === 0) return
        yield bytesRead === piece.length ? piece : piece.subarray(0, bytesRead)
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}

async function writeWhole(file: FileHandle, piece: Buffer): Promise<void> {
  for (let at = 0; at < piece.length;) at += (await file.write(piece, at)).bytesWritten
}
