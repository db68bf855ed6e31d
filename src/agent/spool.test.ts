import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { openSpool } from './spool.ts'

/** Writes and reads a file in turn as told, then reads what is left; gives what was written and what was read. */
async function play(turns: readonly (readonly ['write' | 'read', number])[], end: number) {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-spool-'))
  try {
    const path = join(folder, 'out')
    await using spool = openSpool(path)
    let written = Buffer.alloc(0)
    let read = Buffer.alloc(0)
    const take = async (most: number) => {
      const bytes = await spool.read(most, end)
      assert.ok((bytes?.length ?? 0) <= most)
      read = Buffer.concat([read, bytes ?? Buffer.alloc(0)])
      return bytes
    }
    for (const [what, size] of turns) {
      if (what === 'read') {
        await take(size)
        continue
      }
      const bytes = Buffer.from(Array.from({ length: size }, (_, i) => (written.length + i) % 251))
      written = Buffer.concat([written, bytes])
      appendFileSync(path, bytes)
    }
    while (await take(7)) {
      // Until there is no more.
    }
    return { written, read }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('whatever is written between reads is read, in its order, up to the end and once', async () => {
  const turn = fc.tuple(fc.constantFrom('write' as const, 'read' as const), fc.integer({ min: 1, max: 20 }))
  const scenario = fc.asyncProperty(
    fc.array(turn, { maxLength: 30 }),
    fc.integer({ min: 1, max: 200 }),
    async (turns, end) => {
      const { written, read } = await play(turns, end)
      assert.deepEqual(read, written.subarray(0, end))
    },
  )
  await fc.assert(scenario, { numRuns: 200 })
})

test('what was read ahead before there was anything is read again', async () => {
  const { written, read } = await play(
    [
      ['write', 5],
      ['read', 5],
      ['write', 5],
    ],
    Infinity,
  )
  assert.deepEqual(read, written)
})
