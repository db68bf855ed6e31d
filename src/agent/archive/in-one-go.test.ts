import assert from 'node:assert/strict'
import { Transform } from 'node:stream'
import { test } from 'node:test'
import { inOneGo } from './in-one-go.ts'

/** Makes of what it is given as many pieces of a kilobyte as are asked for, until it is stopped. */
function maker(pieces: number) {
  let made = 0
  const worker = new Transform({
    async transform(_chunk, _encoding, done) {
      for (; made < pieces && !worker.destroyed; made++) {
        this.push(Buffer.alloc(1024, made))
        await new Promise((resolve) => setImmediate(resolve))
      }
      done()
    },
  })
  return { worker, made: () => made }
}

test('all that is made of some bytes comes together, and they are released', async () => {
  const bytes = Buffer.alloc(2 * Buffer.poolSize)
  const made = await inOneGo(maker(3).worker, bytes, 3 * 1024)
  assert.deepEqual(made, Buffer.concat([0, 1, 2].map((byte) => Buffer.alloc(1024, byte))))
  assert.equal(bytes.length, 0)
})

test('more than was said is not waited for', async () => {
  const { worker, made } = maker(1000)
  await assert.rejects(inOneGo(worker, Buffer.alloc(1), 2048), /a frame is longer than it says/)
  assert.ok(worker.destroyed)
  assert.ok(made() < 1000)
})
