import type { DatabaseSync } from 'node:sqlite'
import { sideThread } from './side-thread.ts'

/** The thread's program: beside this file, under the name that a bundle gives it as well. */
const program = new URL(`./checkpoint-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)

/** So many pages of the journal are brought into the file at once: 4 MB. */
const enough = 1_000
/** Nobody looks more often than this. */
const everyMs = 100
/** After which the thread is given back. */
const idleMs = 10_000

/**
 * Brings a SQLite file's journal into the file, in a thread: SQLite does it in whatever commit comes next, which then waits for the disk,
 * and everybody with it (a second, where the disk is busy). Should the thread not get to it, SQLite still does, much later.
 */
export function checkpoints(path: string, reading: DatabaseSync) {
  const thread = sideThread(path, idleMs)
  const look = reading.prepare('pragma wal_checkpoint(noop)')
  let isAsked = false
  let lookedAt = 0
  return {
    /** To be called after commits. */
    look(): void {
      const now = performance.now()
      if (isAsked || now - lookedAt < everyMs) return
      lookedAt = now
      const { log = 0, checkpointed = 0 } = look.get() as { readonly log?: number; readonly checkpointed?: number }
      if (log - checkpointed < enough) return
      isAsked = true
      const done = () => void (isAsked = false)
      // Without it the journal only becomes longer.
      thread.ask(program, undefined).then(done, done)
    },
    close: thread.close,
  }
}
