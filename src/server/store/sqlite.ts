import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
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
} from 'kysely'
import type { Schema } from './schema.ts'
import { journalSync } from './sqlite-sync.ts'
import { shortWays } from './short-way.ts'
import { Writer } from './sqlite-writer.ts'

/** The embedded database: one file, one writer, readers that never wait for it. */
export function openSqlite(path: string): Kysely<Schema> {
  const writing = openFile(path)
  // A database in memory is visible to its own connection only.
  const reading = path === ':memory:' ? writing : openFile(path)
  const journal = path === ':memory:' ? { sync: async () => {}, close: async () => {} } : journalSync(path)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(writing, reading, journal) })
  shortWays.set(db.getExecutor().adapter, { read: (query) => reading.run(query), write: (query) => writing.run(query) })
  return db
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

type Journal = ReturnType<typeof journalSync>

const sqliteDialect = (writing: OpenFile, reading: OpenFile, journal: Journal): Dialect => ({
  createDriver: () => sqliteDriver(writing, reading, journal),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new ManyConnections(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/**
 * Kysely asks for a connection before it says what for, so a connection here is only a place in line:
 * a transaction takes the writer's turn, a lone SELECT goes to the reader, any other lone statement is a transaction of its own.
 */
function sqliteDriver(writing: OpenFile, reading: OpenFile, journal: Journal): Driver {
  const writer = new Writer(writing.database, () => journal.sync())

  class Place implements DatabaseConnection {
    inTransaction = false

    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (this.inTransaction) return writing.run<R>(query)
      if (query.query.kind === 'SelectQueryNode') return reading.run<R>(query)
      await writer.begin()
      const result = this.#tryAlone<R>(query)
      await writer.commit()
      return result
    }

    #tryAlone<R>(query: CompiledQuery): QueryResult<R> {
      try {
        return writing.run<R>(query)
      } catch (error) {
        writer.rollback()
        throw error
      }
    }

    // oxlint-disable-next-line require-yield -- nothing here streams; node:sqlite reads at once
    async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
      throw new Error('Cannot stream from SQLite: read pages instead')
    }
  }

  return {
    init: async () => {},
    acquireConnection: async () => new Place(),
    beginTransaction: async (place) => {
      await writer.begin()
      ;(place as Place).inTransaction = true
    },
    commitTransaction: async (place) => {
      ;(place as Place).inTransaction = false
      await writer.commit()
    },
    rollbackTransaction: async (place) => {
      // Also asked for after a commit that failed, when the turn is somebody else's.
      if (!(place as Place).inTransaction) return
      ;(place as Place).inTransaction = false
      writer.rollback()
    },
    releaseConnection: async () => {},
    destroy: async () => {
      await writer.close()
      await journal.close()
      writing.database.close()
      if (reading !== writing) reading.database.close()
    },
  }
}

type OpenFile = ReturnType<typeof openFile>

interface Prepared {
  readonly statement: StatementSync
  readonly answers: boolean
}

/** One connection with its prepared statements: preparing anew for each call costs three times the call. */
function openFile(path: string) {
  const database = new DatabaseSync(path, { timeout: 5_000 })
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma busy_timeout = 5000; pragma cache_size = -4000; pragma temp_store = memory',
  )
  const statements = new Map<string, Prepared>()

  function prepare(sql: string): Prepared {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    const made = { statement, answers: statement.columns().length > 0 }
    // Lists of ids make texts of many lengths; what is rare is prepared again.
    if (statements.size >= 500) statements.clear()
    statements.set(sql, made)
    return made
  }

  return {
    database,
    run<R>(query: CompiledQuery): QueryResult<R> {
      const { statement, answers } = prepare(query.sql)
      const values = query.parameters as SQLInputValue[]
      if (answers) return { rows: statement.all(...values) as R[] }
      const { changes } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes) }
    },
  }
}
