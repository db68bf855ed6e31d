import { migrate } from './migrate.ts'
import type { Db } from './schema.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database at a `postgres://` URL or a file path and brings its tables up to date. */
export async function openStore(where: string, now: () => string): Promise<Db> {
  const db = await connect(where)
  try {
    await migrate(db, now)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function connect(where: string): Promise<Db> {
  if (!/^postgres(ql)?:\/\//.test(where)) return openSqlite(where)
  // Only here: a server on SQLite never loads the driver.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(where)
}
