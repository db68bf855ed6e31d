import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.ts'

const int8 = 20

/** The shared database: as many servers as wanted. */
export function openPostgres(url: string): Kysely<Schema> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 12,
    types: {
      // Sizes and counters stay below 2^53; as text they would compare wrongly.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  })
  // A connection that breaks while idle is replaced by the pool; without a listener the process would end.
  pool.on('error', () => {})
  // One that breaks in use fails the query on it, and says so here as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}
