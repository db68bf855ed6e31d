import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** How many transactions one COMMIT may carry before it is made without waiting for the end of the turn: answers then go out while others are being worked on. */
const mostTogether = 32

interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * The one writer of a SQLite file, with group commit: transactions run one after another, each in its own savepoint; those of one turn
 * of the event loop share a COMMIT, which only writes; and `sync`, which waits for the disk in another thread, serves all that were
 * committed before it began. Each caller of `commit` waits for that, so an answer is never sent for something a power cut can take back,
 * the disk is asked once for many, and nobody stands still while it works.
 */
export class Writer {
  readonly #database: DatabaseSync
  readonly #sync: () => Promise<void>
  // Prepared, as they run for every transaction.
  readonly #savepoint: StatementSync
  readonly #release: StatementSync
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  #open = false
  #busy = false
  #flushing: NodeJS.Immediate | undefined
  readonly #line: Waiter[] = []
  #done: Waiter[] = []
  #committed: Waiter[] = []
  #syncing: Promise<void> | undefined

  /** `sync` resolves when everything that was committed before it was called is on disk. */
  constructor(database: DatabaseSync, sync: () => Promise<void>) {
    this.#database = database
    this.#sync = sync
    this.#savepoint = database.prepare('savepoint one')
    this.#release = database.prepare('release one')
    this.#begin = database.prepare('begin immediate')
    this.#commit = database.prepare('commit')
  }

  /** Whether a transaction is in the middle of its turn, so that what the writer sees may yet be taken back. */
  get busy(): boolean {
    return this.#busy
  }

  /** Waits for the turn and opens a transaction in it. */
  async begin(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve, reject) => this.#line.push({ resolve, reject }))
    this.#busy = true
    try {
      if (!this.#open) {
        this.#begin.run()
        this.#open = true
      }
      this.#savepoint.run()
    } catch (error) {
      this.#next()
      throw error
    }
  }

  /** Ends the transaction whose turn it is; resolves when it is on disk. Whatever comes of it, its turn is over. */
  async commit(): Promise<void> {
    try {
      this.#release.run()
    } catch (error) {
      this.#lose(error)
      throw error
    }
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
    } catch (error) {
      this.#lose(error)
      return
    }
    this.#flushing ??= setImmediate(() => this.flush())
    this.#next()
  }

  /** Waits for everybody in line and makes their work durable; nothing may begin afterwards. */
  async close(): Promise<void> {
    await this.begin()
    this.rollback()
    this.flush()
    await this.#syncing
  }

  /** Commits everything that ended. A transaction in the middle of its turn waits for the next one. */
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
    try {
      this.#commit.run()
    } catch (error) {
      this.#forget(error)
      return
    }
    this.#open = false
    this.#committed.push(...this.#done)
    this.#done = []
    if (this.#committed.length > 0) this.#syncing ??= this.#syncAll()
  }

  /** One look at the disk after another, as long as there is something that was committed after the last one began. */
  async #syncAll(): Promise<void> {
    while (this.#committed.length > 0) {
      const waiting = this.#committed
      this.#committed = []
      try {
        await this.#sync()
        for (const { resolve } of waiting) resolve()
      } catch (error) {
        for (const { reject } of waiting) reject(error)
      }
    }
    this.#syncing = undefined
  }

  /** SQLite ends the whole transaction by itself when, for one, the disk is full: then those who shared it have lost theirs too. */
  #lose(error: unknown): void {
    this.#forget(error)
    this.#next()
  }

  #forget(error: unknown): void {
    if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('rollback')
    const done = this.#done
    this.#done = []
    this.#open = false
    for (const { reject } of done) reject(error)
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
