import type { DatabaseSync } from 'node:sqlite'
import type { DialectAdapter } from 'kysely'
import type { Db } from './schema.ts'
import { type SidePlace, sideThread } from './side-thread.ts'

/** The journals of databases in files, found as short ways are. */
export const journals = new WeakMap<DialectAdapter, Checkpoints>()

/** Resolves when there is room for much to be written at once; at once, as a rule. To be asked before a transaction, never in one. */
export const roomInJournal = async (db: Db): Promise<void> => journals.get(db.getExecutor().adapter)?.room()

export type Checkpoints = ReturnType<typeof checkpoints>

/** The thread's program: beside this file, under the name that a bundle gives it as well. */
const program = new URL(`./checkpoint-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)

/** So many pages of the journal are brought into the file at once: 4 MB. */
const enough = 1_000
/** With a journal of so many, whoever writes much at once waits: 32 MB. It begins anew only when for a moment nothing of it is left. */
const long = 8_000
/** Nobody looks more often than this. */
const everyMs = 100
/** After which the thread is given back. */
const idleMs = 10_000

/**
 * Brings a SQLite file's journal into the file, in a thread: SQLite does it in whatever commit comes next, which then waits for the disk,
 * and everybody with it (a second, where the disk is busy). Should the thread not get to it, SQLite still does, much later.
 */
export function checkpoints(path: string, reading: DatabaseSync) {
  const thread = sideThread({ path } satisfies SidePlace, { idleMs })
  const look = reading.prepare('pragma wal_checkpoint(noop)')
  let asked: Promise<void> | undefined
  let lookedAt = 0
  const pages = () => {
    const { log = 0, checkpointed = 0 } = look.get() as { readonly log?: number; readonly checkpointed?: number }
    return { all: log, left: log - checkpointed }
  }
  function ask(): Promise<void> {
    const done = () => void (asked = undefined)
    // Without it the journal only becomes longer.
    return (asked ??= thread.ask(program, undefined).then(done, done))
  }
  return {
    /** To be called after commits. */
    look(): void {
      const now = performance.now()
      if (asked || now - lookedAt < everyMs) return
      lookedAt = now
      if (pages().left >= enough) void ask()
    },
    /** Resolves when the journal is short, or may begin anew. */
    async room(): Promise<void> {
      // What was asked for before may not have seen all: after a second time nothing more is waited for.
      for (let turn = 0; turn < 2; turn += 1) {
        const { all, left } = pages()
        if (all < long || left === 0) return
        await ask()
      }
    },
    close: thread.close,
  }
}
