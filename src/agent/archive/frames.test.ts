import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib'
import { fc } from '#test/property.ts'
import { BrokenArchive } from './broken.ts'
import { type Frame, openFrames } from './frames.ts'
import { unpacked } from './unpacked.ts'

/** Contents that are packed in different ways: as they are, as one byte many times, and really. */
const contents = {
  noise: (size: number) => randomBytes(size),
  zeros: (size: number) => Buffer.alloc(size),
  words: (size: number) => Buffer.from('all work and no play '.repeat(Math.ceil(size / 21))).subarray(0, size),
} as const satisfies Record<string, (size: number) => Buffer>

const packed = (bytes: Buffer, hasChecksum: boolean) =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: hasChecksum ? 1 : 0 } })

function* cut(bytes: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield Buffer.from(bytes.subarray(at, at + length))
}

function framesIn(chunks: Iterable<Buffer>): (Frame | { readonly foreign: Buffer })[] {
  const frames = openFrames()
  const found = [...chunks].flatMap((chunk) => [...frames.take(chunk)])
  frames.end()
  return found
}

/** All of it; each piece is gone when the next one comes. */
async function allOf(stored: Iterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of unpacked(Readable.from(stored))) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** Where a header says how much there is: with one, two and four bytes. */
const sizes = [0, 1, 255, 256, 257, 65_791, 65_792, 131_072, 131_073, 524_288, 1_048_576]

test('frames are found whole, however they come', () => {
  const frame = fc.record({
    kind: fc.constantFrom(...(Object.keys(contents) as (keyof typeof contents)[])),
    size: fc.oneof(fc.constantFrom(...sizes), fc.nat(2_000)),
    hasChecksum: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), fc.constantFrom(1, 7, 1_000, 65_536, 5_000_000), (all, length) => {
      const given = all.map(({ kind, size, hasChecksum }) => packed(contents[kind](size), hasChecksum))
      const joined = Buffer.concat(given)
      // Byte by byte takes its time.
      fc.pre(joined.length / length < 200_000)
      const found = framesIn(cut(joined, length))
      assert.deepEqual(
        found.map((one) => 'bytes' in one && one.bytes.equals(given.shift() ?? Buffer.alloc(0))),
        all.map(() => true),
      )
      assert.deepEqual(
        found.map((one) => 'size' in one && one.size),
        all.map(({ size }) => size),
      )
    }),
    { numRuns: 60 },
  )
})

describe('what is stored comes out', () => {
  const parts = sizes.flatMap((size) => Object.values(contents).map((make) => make(size)))
  const whole = Buffer.concat(parts)

  test('of many frames', async () => {
    const stored = Buffer.concat(parts.map((part) => packed(part, true)))
    for (const length of [1_000, 65_536, stored.length])
      assert.ok((await allOf(cut(stored, length))).equals(whole), `in pieces of ${length}`)
  })

  test('of one for all, as agents made them before', async () => {
    const inOne = await buffer(Readable.from(parts).pipe(createZstdCompress()))
    for (const length of [3, 65_536, inOne.length]) {
      const chunks =
        length === 3 ? [...cut(inOne.subarray(0, 30), 3), Buffer.from(inOne.subarray(30))] : cut(inOne, length)
      assert.ok((await allOf(chunks)).equals(whole), `in pieces of ${length}`)
    }
  })

  test('of one that says how much there is, but more than is held in memory', async () => {
    const large = contents.words(3_000_000)
    assert.ok((await allOf(cut(packed(large, false), 65_536))).equals(large))
  })
})

describe('what is broken is told', () => {
  const parts = [contents.words(300_000), contents.noise(200_000)]
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = parts.map((part) => packed(part, true))
  const isBroken = (error: unknown) =>
    error instanceof BrokenArchive || (error instanceof Error && 'code' in error && String(error.code).startsWith('Z'))

  test('where it ends too early, at any place', async () => {
    const stored = Buffer.concat([first, second])
    for (const length of [1, 4, 5, 8, 11, first.length - 1, first.length + 1, stored.length - 4, stored.length - 1])
      await assert.rejects(allOf([stored.subarray(0, length)]), isBroken, `after ${length} bytes`)
    assert.ok((await allOf([stored.subarray(0, first.length)])).equals(parts[0] ?? stored))
  })

  test('where bits are turned over', async () => {
    for (const at of [second.length - 1, Math.floor(second.length / 2), 5]) {
      const bad = Buffer.from(second)
      bad[at] = (bad[at] ?? 0) ^ 0x11
      await assert.rejects(allOf([first, bad]), isBroken, `at ${at}`)
    }
  })

  test('where a frame says that it holds less than it does, or more', async () => {
    for (const by of [-1, 1, -100_000]) {
      const lying = Buffer.from(first)
      lying.writeUInt32LE(lying.readUInt32LE(5) + by, 5)
      await assert.rejects(allOf([lying]), isBroken, `by ${by}`)
    }
  })

  test('where a frame is followed by something else', async () => {
    await assert.rejects(allOf([first, Buffer.from('hello, this is no frame')]), isBroken)
    const inOne = await buffer(Readable.from(parts).pipe(createZstdCompress()))
    await assert.rejects(allOf([first, inOne]), isBroken)
  })

  test('and a source that fails, as what it is', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield first
      throw new Error('no more')
    }
    await assert.rejects(async () => {
      for await (const _ of unpacked(failing()));
    }, /no more/)
  })
})

test('a source that hangs does not hold up whoever gives up', async () => {
  async function* hanging(): AsyncGenerator<Buffer> {
    yield packed(contents.words(1_000), true)
    yield Buffer.from('no frame at all')
    await new Promise(() => {})
  }
  await assert.rejects(async () => {
    for await (const _ of unpacked(hanging()));
  }, BrokenArchive)
})
