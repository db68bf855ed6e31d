import { type ColumnDataType, type RawBuilder, type SelectQueryBuilder, sql, SqliteAdapter } from 'kysely'
import type { Db, Schema } from './schema.ts'

/*
 * Everything in which the two databases differ, once a connection is open.
 * SQLite takes its one write lock at `begin`; PostgreSQL locks the rows we name.
 */

/** Whether this is PostgreSQL. */
export const hasRowLocks = (db: Pick<Db, 'getExecutor'>): boolean =>
  !(db.getExecutor().adapter instanceof SqliteAdapter)

/** Holds the selected rows until the transaction ends. */
export const lock =
  (db: Db) =>
  <T extends keyof Schema, O>(query: SelectQueryBuilder<Schema, T, O>) =>
    hasRowLocks(db) ? query.forUpdate() : query

/** Like `lock`, but passes over rows that another transaction holds: the queue's way of sharing. */
export const lockFree =
  (db: Db) =>
  <T extends keyof Schema, O>(query: SelectQueryBuilder<Schema, T, O>) =>
    hasRowLocks(db) ? query.forUpdate().skipLocked() : query

/** Lets one transaction at a time go on from here, of all that name the same number; the others wait until it has ended. */
export async function takeTurns(tx: Db, number: number): Promise<void> {
  if (hasRowLocks(tx)) await sql`select pg_advisory_xact_lock(${number})`.execute(tx)
}

/** What names a row of any table, within one statement. */
export const rowName = (db: Pick<Db, 'getExecutor'>): RawBuilder<unknown> => sql.ref(hasRowLocks(db) ? 'ctid' : 'rowid')

/** The column type of raw bytes. */
export const bytesType = (db: Pick<Db, 'getExecutor'>): ColumnDataType => (hasRowLocks(db) ? 'bytea' : 'blob')

/** A word of ours, written into the text of a query: an index of only some rows is used only where the text says which. */
export const literal = <W extends string | number>(word: W): RawBuilder<W> => sql.lit(word) as RawBuilder<W>

declare const listOf: unique symbol

/** A JSON list of values; null where there is none. */
export type JsonList<V> = (string & { readonly [listOf]?: V }) | null

/** The values of a column as one text. All lists of one query have the same order. */
export const jsonList = <V>(db: Pick<Db, 'getExecutor'>, column: string): RawBuilder<JsonList<V>> =>
  hasRowLocks(db)
    ? sql<JsonList<V>>`cast(json_agg(${sql.ref(column)}) as text)`
    : sql<JsonList<V>>`json_group_array(${sql.ref(column)})`

/** The values of a JSON list of texts, for `in`: the text of the query is then the same however many there are. */
export const textsIn = (db: Pick<Db, 'getExecutor'>, json: string): RawBuilder<string> =>
  hasRowLocks(db)
    ? sql<string>`(select jsonb_array_elements_text(cast(${json} as jsonb)))`
    : sql<string>`(select value from json_each(${json}))`

/** A JSON list of lists as rows named `given`, their values in the order of the columns: many rows are written by one statement whose text never changes. */
export const givenRows = (
  db: Pick<Db, 'getExecutor'>,
  json: string,
  columns: Readonly<Record<string, 'text' | 'integer'>>,
): RawBuilder<unknown> => {
  const read = Object.entries(columns).map(
    ([name, type], i) => sql`cast(value ->> ${sql.lit(i)} as ${sql.raw(type)}) as ${sql.ref(name)}`,
  )
  const each = hasRowLocks(db) ? sql`jsonb_array_elements(cast(${json} as jsonb)) as value` : sql`json_each(${json})`
  return sql`(select ${sql.join(read)} from ${each}) as given`
}
