import { randomUUID } from 'node:crypto'
import { link, mkdir, open, opendir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Blobs, checkKey } from './blobs.ts'
import { writeAll } from './write-all.ts'

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Blobs as files below a folder. A blob appears under its name only when it is whole. */
export function diskBlobs(root: string): Blobs {
  const made = new Set<string>()
  const drafts = join(root, '.drafts')
  const ready = clearDrafts(drafts)
  // Whoever writes first hears of a failure; until then it must not end the process.
  ready.catch(() => {})

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

  async function write(path: string, bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<void> {
    await ready
    const draft = join(drafts, randomUUID())
    try {
      if (bytes instanceof Uint8Array) await writeFile(draft, bytes, { mode: 0o600, flush: true })
      else await writeAll(draft, bytes)
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  return {
    put: async (key, bytes) => write(await pathFor(key), bytes),
    async get(key, span) {
      checkKey(key)
      // Opened before it is promised: what is removed from now on can still be read to its end.
      const file = await open(join(root, key)).catch(unlessMissing)
      return file?.createReadStream({ highWaterMark: 256 * 1024, ...(span && { start: span.start, end: span.end }) })
    },
    async size(key) {
      checkKey(key)
      return (await stat(join(root, key)).catch(unlessMissing))?.size
    },
    async open(key) {
      checkKey(key)
      const file = await open(join(root, key), 'r').catch(unlessMissing)
      return (
        file && {
          read: async (buffer, position) => (await file.read(buffer, 0, buffer.length, position)).bytesRead,
          [Symbol.asyncDispose]: () => file.close(),
        }
      )
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
    async lend(key, path) {
      checkKey(key)
      return link(join(root, key), path).then(
        () => true,
        () => false,
      )
    },
    async remove(key) {
      checkKey(key)
      await rm(join(root, key), { force: true })
    },
    async *list(prefix) {
      checkKey(prefix.replace(/\/$/, ''))
      const folder = await opendir(join(root, prefix)).catch(unlessMissing)
      for await (const { name } of folder ?? []) {
        const found = await stat(join(root, prefix, name)).catch(unlessMissing)
        if (found?.isFile()) yield { key: prefix + name, changedAt: found.mtimeMs }
      }
    },
    async removeAll(prefix) {
      checkKey(prefix.replace(/\/$/, ''))
      const folder = join(root, prefix)
      for (const known of made) if (`${known}/`.startsWith(folder)) made.delete(known)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** What a killed server was writing is of no use to anybody; a day later it is not even being written by another one. */
async function clearDrafts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(unlessMissing)
    if (found && found.mtimeMs < Date.now() - dayMs) await rm(path, { force: true })
  }
}
