import type { CompiledQuery, DialectAdapter, QueryResult } from 'kysely'
import type { KeptRows } from './kept-rows.ts'
import type { Db } from './schema.ts'

/** Answers a query at once. */
export type Answer = <R>(query: CompiledQuery) => QueryResult<R>

/** What a database that answers at once does with a query: outside of transactions, and inside the one whose turn it is. */
export interface ShortWay {
  readonly read: Answer
  readonly write: Answer
  /** Rows read before that are still good, where somebody can say so. */
  readonly kept?: KeptRows
}

/**
 * The short way to a database that answers at once, found by its adapter, which a database shares with its transactions.
 * The long way through a driver made for connections costs three times what SQLite takes to answer (27 against 9 microseconds).
 */
export const shortWays = new WeakMap<DialectAdapter, ShortWay>()

/** How to run a query here without the long way, if there is such. A transaction has the writer to itself while it runs, so nobody comes between. */
export function shortWayFor(db: Db, query: CompiledQuery): Answer | undefined {
  const way = shortWays.get(db.getExecutor().adapter)
  if (!way) return undefined
  if (db.isTransaction) return way.write
  return query.query.kind === 'SelectQueryNode' ? way.read : undefined
}

/** Rows that this database remembers, if it is one that answers at once and no transaction is asking. */
export function keptRowsOf(db: Db): KeptRows | undefined {
  return db.isTransaction ? undefined : shortWays.get(db.getExecutor().adapter)?.kept
}
