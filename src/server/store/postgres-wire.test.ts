import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { sql } from 'kysely'
import { smallWorld } from '#test/world.ts'
import { openWire } from './postgres-wire.ts'

/** A server's end of the wire; `next` is the topic it hears next. */
async function listener(url: string) {
  const heard = new EventEmitter()
  const wire = await openWire(url, (topic) => heard.emit('topic', topic))
  return {
    send: (topic: string) => wire.send(topic),
    next: async () => String((await once(heard, 'topic', { signal: AbortSignal.timeout(180_000) }))[0]),
    [Symbol.asyncDispose]: () => wire.close(),
  }
}

test('what one server rings is heard by the others', async () => {
  await using it = await smallWorld('postgres')
  await using one = await listener(it.where)
  await using other = await listener(it.where)
  const heard = other.next()
  one.send('queue')
  assert.equal(await heard, 'queue')
})

test('a topic with quotes is only a topic', async () => {
  await using it = await smallWorld('postgres')
  await using one = await listener(it.where)
  const heard = one.next()
  one.send(`it's "; drop table users; --`)
  assert.equal(await heard, `it's "; drop table users; --`)
  await it.world.db.selectFrom('users').selectAll().execute()
})

test('a wire that was cut is mended by itself, and what was rung meanwhile is sent', { timeout: 120_000 }, async () => {
  await using it = await smallWorld('postgres')
  await using one = await listener(it.where)
  const { db } = it.world
  const listening = async () =>
    (
      await sql<{
        pid: number
      }>`select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`.execute(db)
    ).rows
  const [before] = await listening()
  assert.ok(before)
  await sql`select pg_terminate_backend(${before.pid}, 5000)`.execute(db)
  const heard = one.next()
  // Rung until it is heard: the first rings may still go into the dead wire, which is allowed to lose them.
  const ringing = setInterval(() => one.send('queue'), 20)
  try {
    assert.equal(await heard, 'queue')
  } finally {
    clearInterval(ringing)
  }
  assert.notEqual((await listening())[0]?.pid, before.pid)
})

test('connections that were cut cost the queries on them, are replaced, and the process lives', async () => {
  await using it = await smallWorld('postgres')
  const { db } = it.world
  const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
  const before = await pid()
  await sql`select pg_terminate_backend(${before})`.execute(db).catch(() => {})
  const tries = []
  for (let i = 0; i < 20 && typeof tries.at(-1) !== 'number'; i++) tries.push(await pid().catch(() => 'cut'))
  assert.equal(typeof tries.at(-1), 'number')
  assert.notEqual(tries.at(-1), before)
})
