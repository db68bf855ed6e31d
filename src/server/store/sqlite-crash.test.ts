import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { smallWorld } from '#test/world.ts'

/** Keeps what it can, eight transactions at a time, and says what was kept: until it is killed. */
const keeper = (path: string): string => `
  import { writeSync } from 'node:fs'
  import { openStore } from ${JSON.stringify(import.meta.resolve('./open.ts'))}
  const db = await openStore(${JSON.stringify(path)}, () => '')
  let next = 0
  async function keep() {
    for (let i = 0; i < 100_000; i++) {
      const hash = String(next++)
      await db.transaction().execute(async (tx) => {
        await tx.insertInto('texts').values({ hash, text: 'first half' }).execute()
        await tx.updateTable('texts').set({ text: 'whole' }).where('hash', '=', hash).execute()
      })
      writeSync(1, hash + '\\n')
    }
  }
  await Promise.all(Array.from({ length: 8 }, keep))`

test(
  'what was said to be kept is there after the process was killed, and nothing is there in halves',
  { timeout: 300_000 },
  async () => {
    await using it = await smallWorld('sqlite')
    const child = spawn(process.execPath, ['--input-type=module', '-e', keeper(it.where)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const said: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line)
      if (said.length === 500) child.kill('SIGKILL')
    }
    await ended
    const rows = await it.world.db.selectFrom('texts').selectAll().execute()
    const kept = new Set(rows.map((row) => row.hash))
    assert.ok(said.length >= 500)
    assert.deepEqual(
      said.filter((hash) => !kept.has(hash)),
      [],
    )
    assert.deepEqual(
      rows.filter((row) => row.text !== 'whole'),
      [],
    )
  },
)
