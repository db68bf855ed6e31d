import { sql } from 'kysely'
import { hasRowLocks } from './dialect.ts'
import { type Migration, migrations } from './migrations/all.ts'
import type { Db } from './schema.ts'

/** A database that this program must not touch. */
export class WrongDatabase extends Error {
  override readonly name = 'WrongDatabase'
}

/** Any number, the same in every server: one of them migrates, the others wait. */
const migrationLock = 7_220_114

/** Applies the migrations that are missing, each whole or not at all. Refuses a database that knows more than this program. */
export async function migrate(db: Db, now: () => string, known: readonly Migration[] = migrations): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (hasRowLocks(tx)) await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(tx)
    await tx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('applied_at', 'text', (c) => c.notNull())
      .execute()
    const applied = new Set((await tx.selectFrom('migrations').select('name').execute()).map((row) => row.name))
    const newer = [...applied].filter((name) => !known.some((migration) => migration.name === name)).toSorted()
    if (newer.length > 0) {
      throw new WrongDatabase(
        `Cannot open the database as it was made by a newer Roundhouse: this one does not know migration ${newer.join(', ')}`,
      )
    }
    for (const { name, up } of known) {
      if (applied.has(name)) continue
      await up(tx)
      await tx.insertInto('migrations').values({ name, applied_at: now() }).execute()
    }
  })
}
