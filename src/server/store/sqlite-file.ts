import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { KeptRows } from './kept-rows.ts'

export type SqliteFile = ReturnType<typeof openFile>

interface Prepared {
  readonly statement: StatementSync
  readonly answers: boolean
  readonly touches: Map<string, unknown> | undefined
}

/** One connection with its prepared statements: preparing anew for each call costs three times the call. */
export function openFile(path: string, kept: KeptRows, readOnly = false) {
  const database = new DatabaseSync(path, { timeout: 5_000, readOnly })
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma busy_timeout = 5000; pragma cache_size = -4000; pragma temp_store = memory; pragma wal_autocheckpoint = 25000',
  )
  const statements = new Map<string, Prepared>()

  function prepare(sql: string): Prepared {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    const made = { statement, answers: statement.columns().length > 0, touches: kept.touchedBy(sql) }
    // Lists of ids make texts of many lengths; what is rare is prepared again.
    if (statements.size >= 500) statements.clear()
    statements.set(sql, made)
    return made
  }

  return {
    database,
    run: <R>({ sql, parameters }: CompiledQuery): QueryResult<R> => {
      const { statement, answers, touches } = prepare(sql)
      const values = parameters as SQLInputValue[]
      touches?.clear()
      if (answers) return { rows: statement.all(...values) as R[] }
      const { changes } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes) }
    },
  }
}
