import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncFile = promisify(fdatasync)

/**
 * Brings a SQLite file's journal to the disk, in a thread of its own. With `synchronous = normal` a commit only writes to the journal;
 * once the journal is on disk, so is the commit, exactly as with `full`, but nobody had to stand still for it.
 */
export function journalSync(path: string) {
  let file: number | undefined

  return {
    async sync(): Promise<void> {
      // There from the first commit to the last close, and always the same file.
      file ??= await openFile(`${path}-wal`, 'r+')
      await syncFile(file)
    },
    async close(): Promise<void> {
      if (file !== undefined) await closeFile(file)
      file = undefined
    },
  }
}
