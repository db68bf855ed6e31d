import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { crc32, zstdDecompressSync } from 'node:zlib'
import { rangesFrom } from '#server/store/log-ranges.ts'
import { packedOf } from '#server/store/packed-logs.ts'
import { stepOf } from '#server/store/steps.ts'
import { claim, givenAgent, givenWorkflow, type Held } from '#test/given.ts'
import { databases, noon, smallWorld, type SmallWorld } from '#test/world.ts'
import { finishJob } from './finish-job.ts'
import { appendLog, WrongOffset } from './logs.ts'
import { packSome } from './pending.ts'
import { followLog, readLog } from './read-log.ts'

/** Bytes that are different everywhere, so that a piece in a wrong place shows. */
const bytesOf = (size: number, seed = 1): Buffer => {
  const bytes = Buffer.alloc(size)
  let state = seed
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0
    bytes[i] = 97 + ((state >>> 16) % 26)
  }
  return bytes
}

/** As it comes over a wire: in chunks, each a moment after the one before. */
async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 10_000) {
    yield bytes.subarray(at, at + 10_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const append = (
  { world, app }: SmallWorld,
  { lease }: Held,
  start: number,
  bytes: Buffer,
  size = bytes.length,
): Promise<number> => appendLog(world, app.bodyOf, lease, 0, { start, size, bytes: Readable.from(chunksOf(bytes)) })

async function read({ world }: SmallWorld, { job }: Held, from = 0, to = Infinity): Promise<string> {
  return Buffer.concat(await Array.fromAsync(readLog(world, job.id, 0, from, to))).toString()
}

async function follow({ world }: SmallWorld, { job }: Held, from = 0): Promise<string> {
  const got: Uint8Array[] = []
  for await (const news of followLog(world, job.id, 0, from, AbortSignal.timeout(120_000))) {
    if ('end' in news) return Buffer.concat(got).toString()
    if ('bytes' in news) got.push(news.bytes)
  }
  throw new Error('The log has no end')
}

async function started(it: SmallWorld): Promise<Held> {
  await givenWorkflow(it, 'build')
  const [held] = await claim(it, await givenAgent(it))
  assert.ok(held)
  return held
}

const finish = (
  { world, app }: SmallWorld,
  { lease }: Held,
  logSize: number | null,
  logCrc: number | null,
): Promise<void> => {
  const step = { index: 0, status: 'success', startedAt: noon, endedAt: noon, exitCode: 0, logSize, logCrc }
  return finishJob(world, app.bodyOf, lease, { outcome: 'success', reason: null, steps: [step] })
}

async function finished(
  it: SmallWorld,
  ...pieces: readonly Buffer[]
): Promise<{ readonly held: Held; readonly whole: Buffer }> {
  const held = await started(it)
  let at = 0
  for (const piece of pieces) at = await append(it, held, at, piece)
  const whole = Buffer.concat(pieces)
  await finish(it, held, whole.length, crc32(whole))
  return { held, whole }
}

const offset = (at: number) => (error: unknown) => error instanceof WrongOffset && error.offset === at

for (const database of databases) {
  describe(`logs on ${database}`, () => {
    test('pieces are put together in order, and can be read from any byte to any other', async () => {
      await using it = await smallWorld(database)
      const held = await started(it)
      assert.equal(await append(it, held, 0, Buffer.from('hello ')), 6)
      assert.equal(await append(it, held, 6, Buffer.from('world')), 11)
      assert.equal(await read(it, held), 'hello world')
      assert.equal(await read(it, held, 4, 8), 'o wo')
      assert.equal(await read(it, held, 11), '')
      assert.equal(await read(it, held, 99), '')
    })

    test('a piece that does not begin where the log ends is answered with where it does', async () => {
      await using it = await smallWorld(database)
      const held = await started(it)
      await append(it, held, 0, Buffer.from('hello'))
      await assert.rejects(append(it, held, 0, Buffer.from('hello')), offset(5))
      await assert.rejects(append(it, held, 6, Buffer.from('world')), offset(5))
      assert.equal(await read(it, held), 'hello')
    })

    test('of pieces for the same place that come at once, one is kept', async () => {
      await using it = await smallWorld(database)
      const held = await started(it)
      await append(it, held, 0, Buffer.from('>'))
      const endings = await Promise.allSettled(
        ['a', 'b', 'c', 'd'].map((text) => append(it, held, 1, Buffer.from(text))),
      )
      assert.equal(endings.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.match(await read(it, held), /^>[abcd]$/)
    })

    test('a large piece goes into a blob whole, though it comes in parts', async () => {
      await using it = await smallWorld(database)
      const held = await started(it)
      const [large, small] = [bytesOf(200_000), bytesOf(100, 2)]
      await append(it, held, 0, large)
      await append(it, held, large.length, small)
      const ranges = await rangesFrom(it.world.db, { job: held.job.id, node: 0, step: 0 }, 0)
      assert.deepEqual(
        ranges.map(({ size, bytes }) => [size, bytes === null]),
        [
          [200_000, true],
          [100, false],
        ],
      )
      assert.equal(await read(it, held), Buffer.concat([large, small]).toString())
      assert.equal(
        await read(it, held, 123_456, 200_050),
        Buffer.concat([large, small]).toString().slice(123_456, 200_050),
      )
      assert.equal((await stepOf(it.world.db, held.job.id, 0))?.log_crc, crc32(Buffer.concat([large, small])))
    })

    for (const [size, said] of [
      [10, 12],
      [12, 10],
      [50_000, 60_000],
      [60_000, 50_000],
    ] as const) {
      test(`a piece of ${size} bytes that was announced as ${said} is refused and leaves nothing`, async () => {
        await using it = await smallWorld(database)
        const held = await started(it)
        await assert.rejects(append(it, held, 0, bytesOf(size), said), { name: 'Refusal', code: 'invalid' })
        assert.equal(await read(it, held), '')
        assert.equal(await append(it, held, 0, bytesOf(size)), size)
      })
    }

    test('a job does not end before its logs are whole and undamaged', async () => {
      await using it = await smallWorld(database)
      const held = await started(it)
      await append(it, held, 0, Buffer.from('hello'))
      await assert.rejects(finish(it, held, 11, null), { code: 'conflict', details: { step: 0, offset: 5 } })
      await assert.rejects(finish(it, held, 5, crc32('jello')), { code: 'conflict', details: { step: 0, offset: 5 } })
      await finish(it, held, 5, crc32('hello'))
      await assert.rejects(finish(it, held, 5, crc32('hello')), { code: 'conflict' })
    })

    test('a finished log is packed, and reads the same from every byte', async () => {
      await using it = await smallWorld(database)
      const { held, whole } = await finished(it, bytesOf(300_000), bytesOf(50, 2), bytesOf(400_000, 3))
      const text = whole.toString()
      assert.equal(await packSome(it.app), true)
      assert.equal(await packSome(it.app), false)
      assert.deepEqual(await rangesFrom(it.world.db, { job: held.job.id, node: 0, step: 0 }, 0), [])
      assert.equal(await it.world.blobs.size(`live/${held.job.id}/0/0`), undefined)
      for (const from of [0, 1, 262_143, 262_144, 300_049, 524_288, text.length - 1, text.length])
        assert.equal(await read(it, held, from), text.slice(from))
      assert.equal(await read(it, held, 262_000, 262_300), text.slice(262_000, 262_300))
    })

    test('a packed log is an ordinary zstd file', async () => {
      await using it = await smallWorld(database)
      const { held, whole } = await finished(it, bytesOf(3_000))
      await packSome(it.app)
      const row = await packedOf(it.world.db, { job: held.job.id, node: 0, step: 0 })
      assert.equal(zstdDecompressSync(row?.bytes ?? Buffer.of()).toString(), whole.toString())
    })

    test('whoever reads while the log is packed misses nothing', async () => {
      await using it = await smallWorld(database)
      const { held, whole } = await finished(it, bytesOf(20_000), bytesOf(30_000, 2), bytesOf(40_000, 3))
      for (const pause of [0, 1, 2, 3]) {
        // Packed between two pieces, or between the look for pieces and the first of them.
        const got: Uint8Array[] = []
        for await (const bytes of readLog(it.world, held.job.id, 0, 0)) {
          got.push(bytes)
          if (got.length === pause) await packSome(it.app)
        }
        assert.equal(Buffer.concat(got).toString(), whole.toString())
      }
    })

    test('those who read and those who pack, all at once, see the same bytes', async () => {
      await using it = await smallWorld(database)
      const { held, whole } = await finished(it, bytesOf(20_000), bytesOf(30_000, 2), bytesOf(40_000, 3))
      const [, , ...texts] = await Promise.all([
        packSome(it.app),
        packSome(it.app),
        ...Array.from({ length: 20 }, () => read(it, held)),
      ])
      assert.deepEqual(new Set(texts), new Set([whole.toString()]))
      assert.equal(await read(it, held), whole.toString())
    })

    test('whoever follows gets every byte and the end, early or late, from the start or from the middle', async () => {
      await using it = await smallWorld(database)
      const held = await started(it)
      await append(it, held, 0, Buffer.from('one '))
      const early = follow(it, held)
      await append(it, held, 4, Buffer.from('two '))
      const middle = follow(it, held, 6)
      const large = bytesOf(40_000)
      await append(it, held, 8, large)
      await finish(it, held, 40_008, null)
      const late = await follow(it, held)
      await packSome(it.app)
      const afterwards = await follow(it, held)
      const whole = `one two ${large.toString()}`
      assert.deepEqual(
        [await early, await middle, late, afterwards].map((text) => text.length),
        [40_008, 40_002, 40_008, 40_008],
      )
      assert.deepEqual([await early, await middle, late, afterwards], [whole, whole.slice(6), whole, whole])
    })

    test('a step that its agent forgot to tell of ends with its job', async () => {
      await using it = await smallWorld(database)
      const held = await started(it)
      await append(it, held, 0, Buffer.from('hello'))
      await finishJob(it.world, it.app.bodyOf, held.lease, { outcome: 'success', reason: null, steps: [] })
      assert.equal(await follow(it, held), 'hello')
      assert.equal((await stepOf(it.world.db, held.job.id, 0))?.status, 'canceled')
    })

    test('a log whose size its agent could not tell is kept and packed as it came', async () => {
      await using it = await smallWorld(database)
      const held = await started(it)
      await append(it, held, 0, Buffer.from('hello'))
      await finish(it, held, null, null)
      assert.equal(await follow(it, held), 'hello')
      await packSome(it.app)
      assert.deepEqual(await rangesFrom(it.world.db, { job: held.job.id, node: 0, step: 0 }, 0), [])
      assert.equal(await read(it, held), 'hello')
    })
  })
}
