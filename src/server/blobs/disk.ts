import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Blobs, checkKey } from './blobs.ts'

/** Blobs as files below a folder. A blob appears under its name only when it is whole. */
export function diskBlobs(root: string): Blobs {
  const made = new Set<string>()

  async function pathFor(key: string): Promise<string> {
    checkKey(key)
    const path = join(root, key)
    const folder = dirname(path)
    if (!made.has(folder)) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      if (made.size > 10_000) made.clear()
      made.add(folder)
    }
    return path
  }

  async function write(path: string, bytes: Readable | Uint8Array): Promise<void> {
    const draft = `${path}.${randomUUID()}.part`
    try {
      if (bytes instanceof Uint8Array) await writeFile(draft, bytes, { mode: 0o600 })
      else await pipeline(bytes, createWriteStream(draft, { mode: 0o600 }))
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  return {
    put: async (key, bytes) => write(await pathFor(key), bytes),
    async get(key, span) {
      const path = join(root, key)
      if ((await this.size(key)) === undefined) return undefined
      return createReadStream(path, { highWaterMark: 256 * 1024, ...(span && { start: span.start, end: span.end }) })
    },
    async size(key) {
      checkKey(key)
      try {
        return (await stat(join(root, key))).size
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async adopt(key, path) {
      try {
        await link(path, await pathFor(key))
        return true
      } catch (error) {
        // Another disk, another owner, gone: whoever asks can do it the long way.
        return (error as NodeJS.ErrnoException).code === 'EEXIST'
      }
    },
    async remove(key) {
      checkKey(key)
      await rm(join(root, key), { force: true })
    },
    async removeAll(prefix) {
      checkKey(prefix.replace(/\/$/, ''))
      const folder = join(root, prefix)
      made.delete(folder.replace(/\/$/, ''))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
