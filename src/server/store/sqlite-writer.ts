import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** So many transactions are not made to wait for more: the disk works for them while others are being worked on. */
const mostTogether = 32
/** The first of them waits no longer than this, where others keep coming: about what a good disk takes. */
const mostMs = 1

interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * The one writer of a SQLite file, with group commit: transactions run one after another, each but the first in its own savepoint;
 * those that come together share a COMMIT, which only writes, and one `sync`, which waits for the disk in another thread. What comes
 * while the disk is busy waits for its next turn, as it could not be answered sooner anyway. Each caller of `commit` waits for that, so
 * an answer is never sent for something a power cut can take back, the disk is asked once for many, and nobody stands still meanwhile.
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
  /** The first transaction of a COMMIT needs no savepoint: nothing before it would be lost with it. */
  #isFirst = false
  #busy = false
  #look: NodeJS.Immediate | undefined
  readonly #line: Waiter[] = []
  #done: Waiter[] = []
  #doneSince = 0
  #doneBefore = 0
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

  /**
   * Whether all that the writer sees is committed. It is not in the middle of a turn, nor before the COMMIT of those that ended: who was
   * shown that, before a process was killed, would have seen what never was.
   */
  get isSettled(): boolean {
    return !this.#open
  }

  /** Waits for the turn and opens a transaction in it. */
  async begin(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve, reject) => this.#line.push({ resolve, reject }))
    this.#busy = true
    try {
      this.#isFirst = !this.#open
      if (this.#isFirst) this.#begin.run()
      else this.#savepoint.run()
      this.#open = true
    } catch (error) {
      this.#next()
      throw error
    }
  }

  /** Ends the transaction whose turn it is; resolves when it is on disk. Whatever comes of it, its turn is over. */
  async commit(): Promise<void> {
    try {
      if (!this.#isFirst) this.#release.run()
      else if (!this.#database.isTransaction)
        throw new Error('Cannot commit: the database has taken the transaction back')
    } catch (error) {
      this.#lose(error)
      throw error
    }
    if (this.#done.length === 0) this.#doneSince = performance.now()
    const durable = new Promise<void>((resolve, reject) => this.#done.push({ resolve, reject }))
    if (this.#done.length >= mostTogether && !this.#syncing) this.#commitNow()
    else this.#lookLater()
    this.#next()
    return durable
  }

  /** Takes back the transaction whose turn it is; those before it in the same commit stay. */
  rollback(): void {
    try {
      if (this.#isFirst) this.#forget(undefined)
      else this.#database.exec('rollback to one; release one')
    } catch (error) {
      this.#lose(error)
      return
    }
    this.#next()
  }

  /** Waits for everybody in line and makes their work durable; nothing may begin afterwards. */
  async close(): Promise<void> {
    await this.begin()
    this.rollback()
    await this.#syncing
    this.#commitNow()
    await this.#syncing
  }

  #lookLater(): void {
    this.#look ??= setImmediate(() => {
      this.#look = undefined
      this.#commitDue()
    })
  }

  /** Commits what ended, unless more is coming just now, a transaction is in the middle of its turn, or the disk is busy. */
  #commitDue(): void {
    // The end of it looks again.
    if (this.#syncing) return
    const count = this.#done.length
    const isMore = count > this.#doneBefore && count < mostTogether && performance.now() - this.#doneSince < mostMs
    this.#doneBefore = count
    if (this.#busy || isMore) this.#lookLater()
    else this.#commitNow()
  }

  #commitNow(): void {
    if (this.#look) clearImmediate(this.#look)
    this.#look = undefined
    this.#doneBefore = 0
    if (!this.#open) return
    try {
      this.#commit.run()
    } catch (error) {
      this.#forget(error)
      return
    }
    this.#open = false
    const waiting = this.#done
    this.#done = []
    if (waiting.length > 0) this.#syncing = this.#syncFor(waiting)
  }

  async #syncFor(waiting: readonly Waiter[]): Promise<void> {
    const failure = await this.#sync().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    this.#syncing = undefined
    // The disk works for those who came meanwhile while these are answered.
    if (this.#busy) this.#lookLater()
    else this.#commitNow()
    for (const { resolve, reject } of waiting) {
      if (failure) reject(failure.error)
      else resolve()
    }
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
