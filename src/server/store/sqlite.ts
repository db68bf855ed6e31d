import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction,
  type TransactionBuilder,
} from 'kysely'
import { checkpoints, journals } from './checkpoints.ts'
import { keptRows } from './kept-rows.ts'
import type { Schema } from './schema.ts'
import { openFile, type SqliteFile } from './sqlite-file.ts'
import { type SidePlace, sideThread, sideThreads } from './side-thread.ts'
import { journalSync } from './sqlite-sync.ts'
import { shortWays } from './short-way.ts'
import { Writer } from './sqlite-writer.ts'

/** The embedded database: one file, one writer, readers that never wait for it. */
export function openSqlite(path: string): Kysely<Schema> {
  const kept = keptRows(() => writer.isSettled)
  const writing = openFile(path, kept)
  // A database in memory is visible to its own connection only.
  const reading = path === ':memory:' ? writing : openFile(path, kept)
  const journal = path === ':memory:' ? undefined : journalSync(path)
  const tidying = path === ':memory:' ? undefined : checkpoints(path, reading.database)
  const writer = new Writer(writing.database, async () => {
    tidying?.look()
    await journal?.sync()
  })
  const thread = path === ':memory:' ? undefined : sideThread({ path } satisfies SidePlace)
  const db = new Embedded(writing, reading, writer, async () => {
    await thread?.close()
    await writer.close()
    await tidying?.close()
    await journal?.close()
    writing.database.close()
    if (reading !== writing) reading.database.close()
  })
  shortWays.set(db.getExecutor().adapter, {
    // The writer's pages stay good; the reader's are dropped by every commit.
    read: (query) => (writer.isSettled ? writing : reading).run(query),
    write: (query) => writing.run(query),
    kept,
  })
  if (thread) sideThreads.set(db.getExecutor().adapter, thread)
  if (tidying) journals.set(db.getExecutor().adapter, tidying)
  return db
}

/** The embedded database for a thread that only reads, while another one writes. */
export function openSqliteReader(path: string): Kysely<Schema> {
  const file = openFile(
    path,
    keptRows(() => false),
    true,
  )
  const connection: DatabaseConnection = { executeQuery: async (query) => file.run(query), streamQuery }
  const db = new Kysely<Schema>({
    dialect: dialectOf({
      init: async () => {},
      acquireConnection: async () => connection,
      beginTransaction: notHere,
      commitTransaction: notHere,
      rollbackTransaction: notHere,
      releaseConnection: async () => {},
      destroy: async () => file.database.close(),
    }),
  })
  // Nothing is kept: nobody says here what was written.
  shortWays.set(db.getExecutor().adapter, { read: file.run, write: file.run })
  return db
}

/** Kysely with transactions for one writer: a turn of it, and the same object for each. */
class Embedded extends Kysely<Schema> {
  readonly #writer: Writer
  readonly #tx: Transaction<Schema>
  readonly #close: () => Promise<void>
  #closing: Promise<void> | undefined
  #builder: TransactionBuilder<Schema> | undefined

  constructor(writing: SqliteFile, reading: SqliteFile, writer: Writer, close: () => Promise<void>) {
    const dialect = dialectOf(sqliteDriver(writing, reading, writer))
    super({ dialect })
    this.#writer = writer
    this.#close = close
    const connection = { executeQuery: async <R>(query: CompiledQuery) => writing.run<R>(query), streamQuery }
    const executor = this.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) })
    this.#tx = new Transaction({ config: { dialect }, dialect, driver: dialect.createDriver(), executor })
  }

  /** Kysely closes only what was asked by way of its driver, and most is not. */
  override destroy(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  /** What Kysely makes for databases with many connections costs as much as a short transaction itself. */
  override transaction(): TransactionBuilder<Schema> {
    if (this.#builder) return this.#builder
    const builder = super.transaction()
    builder.execute = async (work) => {
      await this.#writer.begin()
      let result: Awaited<ReturnType<typeof work>>
      try {
        result = await work(this.#tx)
      } catch (error) {
        this.#writer.rollback()
        throw error
      }
      await this.#writer.commit()
      return result
    }
    this.#builder = builder
    return builder
  }
}

/**
 * Kysely gives one connection at a time to a database that cannot have several: every query would wait for every commit,
 * no two transactions could share one, and a read beside a transaction that waits for it would stand still for ever.
 */
class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const dialectOf = (driver: Driver): Dialect => ({
  createDriver: () => driver,
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new ManyConnections(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/** A lone SELECT goes to the reader, any other lone statement is a transaction of its own; real ones do not come this way. */
function sqliteDriver(writing: SqliteFile, reading: SqliteFile, writer: Writer): Driver {
  async function executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.query.kind === 'SelectQueryNode') return reading.run<R>(query)
    await writer.begin()
    let result: QueryResult<R>
    try {
      result = writing.run<R>(query)
    } catch (error) {
      writer.rollback()
      throw error
    }
    await writer.commit()
    return result
  }

  const connection: DatabaseConnection = { executeQuery, streamQuery }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: notHere,
    commitTransaction: notHere,
    rollbackTransaction: notHere,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
}

async function notHere(): Promise<void> {
  throw new Error('Cannot control a transaction on SQLite: give the work to transaction().execute')
}

// oxlint-disable-next-line require-yield -- nothing here streams; node:sqlite reads at once
async function* streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
  throw new Error('Cannot stream from SQLite: read pages instead')
}
