import type { DatabaseSync } from 'node:sqlite'

/** How many transactions one commit may carry: enough to share the disk's wait, few enough to answer soon. */
const mostTogether = 128

interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * The one writer of a SQLite file, with group commit: transactions run one after another, each in its own savepoint,
 * and all that ran in one turn of the event loop are made durable by one COMMIT. Each caller of `commit` waits for that COMMIT,
 * so an answer is never sent for something a power cut can take back, and the disk is asked once for many.
 */
export class Writer {
  readonly #database: DatabaseSync
  #open = false
  #busy = false
  #flushing: NodeJS.Immediate | undefined
  readonly #line: Waiter[] = []
  #done: Waiter[] = []

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Waits for the turn and opens a transaction in it. */
  async begin(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve, reject) => this.#line.push({ resolve, reject }))
    this.#busy = true
    try {
      if (!this.#open) {
        this.#database.exec('begin immediate')
        this.#open = true
      }
      this.#database.exec('savepoint one')
    } catch (error) {
      this.#next()
      throw error
    }
  }

  /** Ends the transaction whose turn it is; resolves when it is on disk. */
  commit(): Promise<void> {
    this.#database.exec('release one')
    const durable = new Promise<void>((resolve, reject) => this.#done.push({ resolve, reject }))
    if (this.#done.length >= mostTogether) this.#commitNow()
    // At the end of the turn, so that transactions of other requests that arrived in it come along.
    else this.#flushing ??= setImmediate(() => this.flush())
    this.#next()
    return durable
  }

  /** Takes back the transaction whose turn it is; those before it in the same commit stay. */
  rollback(): void {
    try {
      this.#database.exec('rollback to one; release one')
      this.#flushing ??= setImmediate(() => this.flush())
    } finally {
      this.#next()
    }
  }

  /** Makes everything that ended durable, now. A transaction in the middle of its turn waits for the next one. */
  flush(): void {
    if (this.#busy) {
      this.#flushing = setImmediate(() => this.flush())
      return
    }
    this.#commitNow()
  }

  #commitNow(): void {
    if (this.#flushing) clearImmediate(this.#flushing)
    this.#flushing = undefined
    if (!this.#open) return
    const done = this.#done
    this.#done = []
    this.#open = false
    try {
      this.#database.exec('commit')
      for (const { resolve } of done) resolve()
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback')
      for (const { reject } of done) reject(error)
    }
  }

  #next(): void {
    this.#busy = false
    const next = this.#line.shift()
    if (!next) return
    // Taken on behalf of the waiter, so that nobody slips in before it runs.
    this.#busy = true
    next.resolve()
  }
}
