import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { bareDatabase, databases, noon, smallWorld } from '#test/world.ts'
import { sql } from 'kysely'
import { migrate } from './migrate.ts'
import { type Migration, migrations } from './migrations/all.ts'
import { openStore } from './open.ts'
import type { Db } from './schema.ts'

const appliedTo = async (db: Db): Promise<readonly string[]> =>
  (await db.selectFrom('migrations').selectAll().orderBy('name').execute()).map(
    (row) => `${row.name} ${row.applied_at}`,
  )

/** What the next version of the program might bring. */
const next: Migration = {
  name: '9999-next',
  up: async (tx) => void (await sql`alter table users add column nickname text`.execute(tx)),
}

const broken: Migration = {
  name: '9999-next',
  async up(tx) {
    await next.up(tx)
    throw new Error('Out of luck')
  },
}

const all = migrations.map(({ name }) => `${name} ${noon}`)

for (const database of databases) {
  describe(`migrations on ${database}`, () => {
    test('a fresh database gets every migration', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'roundhouse-migrate-'))
      await using place = await bareDatabase(database, folder)
      const db = await openStore(place.url, () => noon)
      const applied = await appliedTo(db)
      await db.destroy()
      await rm(folder, { recursive: true })
      assert.deepEqual(applied, all)
    })

    test('opening it again changes nothing', async () => {
      await using it = await smallWorld(database)
      const again = await openStore(it.where, () => 'later')
      await again.destroy()
      assert.deepEqual(await appliedTo(it.world.db), all)
    })

    test('a newer program brings an older database up to date, and keeps what is in it', async () => {
      await using it = await smallWorld(database)
      const { db } = it.world
      await sql`insert into texts (hash, text) values ('h', 'kept')`.execute(db)
      await migrate(db, () => 'later', [...migrations, next])
      assert.deepEqual(await appliedTo(db), [...all, '9999-next later'])
      await sql`select nickname from users`.execute(db)
      assert.deepEqual(
        (await db.selectFrom('texts').selectAll().execute()).map(({ hash, text }) => [hash, text]),
        [['h', 'kept']],
      )
    })

    test('a migration that fails leaves nothing behind, and can be tried again', async () => {
      await using it = await smallWorld(database)
      const { db } = it.world
      await assert.rejects(
        migrate(db, () => 'later', [...migrations, broken]),
        /Out of luck/,
      )
      assert.deepEqual(await appliedTo(db), all)
      await assert.rejects(sql`select nickname from users`.execute(db))
      await migrate(db, () => 'later', [...migrations, next])
      await sql`select nickname from users`.execute(db)
    })

    test('a database that a newer program made is refused, by name of what is unknown', async () => {
      await using it = await smallWorld(database)
      await migrate(it.world.db, () => 'later', [...migrations, next])
      await assert.rejects(
        openStore(it.where, () => 'later'),
        {
          name: 'WrongDatabase',
          message:
            'Cannot open the database as it was made by a newer Roundhouse: this one does not know migration 9999-next',
        },
      )
    })

    test('programs that start together migrate once', async () => {
      await using it = await smallWorld(database)
      const { db } = it.world
      await Promise.all([1, 2, 3].map(() => migrate(db, () => 'later', [...migrations, next])))
      assert.deepEqual(await appliedTo(db), [...all, '9999-next later'])
    })
  })
}
