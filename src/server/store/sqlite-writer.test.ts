import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { smallWorld } from '#test/world.ts'
import type { Db, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

const put = async (tx: Tx, hash: string): Promise<void> => {
  await tx.insertInto('texts').values({ hash, text: hash }).execute()
}
const kept = async (db: Db): Promise<readonly string[]> =>
  (
    await db
      .selectFrom('texts')
      .select('hash')
      .orderBy(sql`rowid`)
      .execute()
  ).map((row) => row.hash)

/** Lets every other transaction that is ready have its turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A transaction that only its COMMIT refuses: a row that refers to nothing. */
async function putDangling(tx: Tx): Promise<void> {
  await sql`pragma defer_foreign_keys = on`.execute(tx)
  await sql`insert into follows (user_id, project_id, created_at) values ('nobody', 'nothing', '')`.execute(tx)
}

const numbers = Array.from({ length: 300 }, (_, i) => String(i).padStart(3, '0'))

test('transactions that come together are kept in the order in which they came', async () => {
  await using it = await smallWorld('sqlite')
  const { db } = it.world
  await Promise.all(
    numbers.map((hash) =>
      db.transaction().execute(async (tx) => {
        await put(tx, hash)
        await turn()
      }),
    ),
  )
  assert.deepEqual(await kept(db), numbers)
})

test('a transaction that fails takes back its own work and nobody else’s', async () => {
  await using it = await smallWorld('sqlite')
  const { db } = it.world
  const endings = await Promise.allSettled(
    numbers.map((hash, i) =>
      db.transaction().execute(async (tx) => {
        await put(tx, hash)
        if (i % 3 === 1) throw new Error(`No ${hash}`)
      }),
    ),
  )
  const failed = endings.flatMap((ending) => (ending.status === 'rejected' ? [(ending.reason as Error).message] : []))
  assert.deepEqual(
    failed,
    numbers.filter((_, i) => i % 3 === 1).map((hash) => `No ${hash}`),
  )
  assert.deepEqual(
    await kept(db),
    numbers.filter((_, i) => i % 3 !== 1),
  )
})

test('a statement that fails can be caught, and the transaction goes on', async () => {
  await using it = await smallWorld('sqlite')
  const { db } = it.world
  await db.transaction().execute(async (tx) => {
    await put(tx, 'a')
    await assert.rejects(put(tx, 'a'), /UNIQUE/)
    await put(tx, 'b')
  })
  assert.deepEqual(await kept(db), ['a', 'b'])
})

test('a reader never sees what is not committed, nor half of a transaction', async () => {
  await using it = await smallWorld('sqlite')
  const { db } = it.world
  const seen: number[] = []
  await Promise.all(
    numbers.slice(0, 50).map((hash) =>
      db.transaction().execute(async (tx) => {
        await put(tx, `${hash}a`)
        seen.push((await kept(db)).length)
        await turn()
        await put(tx, `${hash}b`)
        seen.push((await kept(db)).length)
      }),
    ),
  )
  assert.deepEqual(
    seen.filter((count) => count % 2 === 1),
    [],
  )
  assert.equal((await kept(db)).length, 100)
})

test('what has ended but is not committed is seen by nobody: who is killed then has never had it', async () => {
  await using it = await smallWorld('sqlite')
  const { db } = it.world
  const textBy = statementForOne((from, { hash }: { hash: string }) =>
    from.selectFrom('texts').selectAll().where('hash', '=', hash),
  )
  const done = db.transaction().execute((tx) => put(tx, 'a'))
  const seen: unknown[] = []
  // Commits come when all that can be done at once is done: here there is always more.
  for (let i = 0; i < 100; i++) seen.push(await textBy(db, { hash: 'a' }))
  assert.deepEqual([...new Set(seen)], [undefined])
  await done
  assert.equal((await textBy(db, { hash: 'a' }))?.text, 'a')
})

test('what a transaction was told is kept can be read at once', async () => {
  await using it = await smallWorld('sqlite')
  const { db } = it.world
  const missing = await Promise.all(
    numbers.map(async (hash) => {
      await db.transaction().execute((tx) => put(tx, hash))
      return (await kept(db)).includes(hash) ? [] : [hash]
    }),
  )
  assert.deepEqual(missing.flat(), [])
})

test('a commit that fails is told to all who shared it, with the reason, and takes nothing from those who come after', async () => {
  await using it = await smallWorld('sqlite')
  const { db } = it.world
  const shared = Promise.allSettled([
    db.transaction().execute((tx) => put(tx, 'before')),
    db.transaction().execute(putDangling),
    db.transaction().execute((tx) => put(tx, 'after')),
  ])
  // In the middle of its turn when the failed commit is told: its work must not be taken back in place of theirs.
  const next = shared.then(() => {})
  const slow = turn()
    .then(turn)
    .then(turn)
    .then(() =>
      db.transaction().execute(async (tx) => {
        await put(tx, 'slow')
        await next
        await turn()
        await put(tx, 'slower')
      }),
    )
  const reasons = (await shared).map((ending) =>
    ending.status === 'rejected' ? (ending.reason as Error).message : 'kept',
  )
  await slow
  assert.deepEqual(
    reasons,
    Array.from({ length: 3 }, () => 'FOREIGN KEY constraint failed'),
  )
  assert.deepEqual(await kept(db), ['slow', 'slower'])
})

test('a lone statement whose commit fails leaves the turn to whoever has it', async () => {
  await using it = await smallWorld('sqlite')
  const { db } = it.world
  const endings = await Promise.allSettled([
    db.transaction().execute(putDangling),
    db.insertInto('texts').values({ hash: 'lone', text: '' }).execute(),
    db.insertInto('texts').values({ hash: 'lonely', text: '' }).execute(),
  ])
  assert.deepEqual(
    endings.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  await Promise.all(numbers.map((hash) => db.transaction().execute((tx) => put(tx, hash))))
  assert.deepEqual(await kept(db), numbers)
})

test('a statement that ends the whole transaction fails everybody in it, and nobody after it', async () => {
  await using it = await smallWorld('sqlite')
  const { db } = it.world
  await db.transaction().execute((tx) => put(tx, 'there'))
  const endings = await Promise.allSettled([
    db.transaction().execute((tx) => put(tx, 'before')),
    db
      .transaction()
      .execute(async (tx) => void (await sql`insert or rollback into texts values ('there', '')`.execute(tx))),
    db.transaction().execute((tx) => put(tx, 'after')),
  ])
  const told = endings.map(({ status }) => status)
  const [before, , after] = told.map((status) => status === 'fulfilled')
  assert.equal(told[1], 'rejected')
  assert.deepEqual(await kept(db), ['there', ...(before ? ['before'] : []), ...(after ? ['after'] : [])])
  await db.transaction().execute((tx) => put(tx, 'later'))
  assert.equal((await kept(db)).at(-1), 'later')
})
