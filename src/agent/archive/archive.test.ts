import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { createZstdCompress, zstdCompressSync } from 'node:zlib'
import { fc } from '#test/property.ts'
import { type Header, pack } from 'tar-stream'
import { shellFiles } from '#agent/executors/shell-files.ts'
import { tempFolder } from '#agent/testing/world.ts'
import { StepFailed } from '#agent/step-failed.ts'
import { openTurns } from '#agent/turns.ts'
import { longestKey } from '#contract/agent/cache.ts'
import type { Limits } from './guard.ts'
import { longestKey as ours } from './limits.ts'
import { packBundles } from './pack.ts'
import { tarParts } from './tar-parts.ts'
import { unpackArchive } from './unpack.ts'

const roomy: Limits = { mostStored: 1e9, mostUnpacked: 1e9 }

type Given = Partial<Header> & { readonly name: string; readonly text?: string }

function tarOf(...entries: readonly Given[]): Promise<Buffer> {
  const packing = pack()
  for (const { text = '', ...header } of entries) packing.entry({ ...header, size: text.length }, text)
  packing.finalize()
  return buffer(packing)
}

/** Unpacks into `in` below a folder and gives why not. */
async function unpacked(root: string, archive: Buffer, limits = roomy, piece = 65_536): Promise<string> {
  const pieces: Buffer[] = []
  for (let at = 0; at < archive.length; at += piece) pieces.push(archive.subarray(at, at + piece))
  try {
    const how = { files: shellFiles, limits, rootOf: () => join(root, 'in') }
    await unpackArchive(Readable.from(pieces), how)
    return 'unpacked'
  } catch (error) {
    assert.ok(error instanceof StepFailed, String(error))
    return error.message.replace('Refused this archive: ', '')
  }
}

const file = (name: string, text = 'x'): Given => ({ name, type: 'file', text })
const symlink = (name: string, linkname: string): Given => ({ name, type: 'symlink', linkname })

describe('an archive is refused', () => {
  const cases: readonly (readonly [why: string, says: string, entries: readonly Given[]])[] = [
    ['for an absolute name', 'an entry "/etc/x" has an absolute name', [file('/etc/x')]],
    ['for a name that climbs', 'an entry "../x" leads out of its folder', [file('../x')]],
    ['for a name that climbs in the middle', 'an entry "a/../../x" leads out of its folder', [file('a/../../x')]],
    ['for a file behind a link', 'an entry "out/x" lies behind a link', [symlink('out', '..'), file('out/x')]],
    [
      'for a folder where a link was',
      '"./out/" stands where a link was',
      [symlink('out', '/tmp'), { name: './out/', type: 'directory' }],
    ],
    [
      'for another name of a file outside',
      'the target of a link "../secret" leads out of its folder',
      [{ name: 'a', type: 'link', linkname: '../secret' }],
    ],
    [
      'for another name of an absolute file',
      'the target of a link "/etc/passwd" has an absolute name',
      [{ name: 'a', type: 'link', linkname: '/etc/passwd' }],
    ],
    [
      'for another name of a link',
      '"b" is another name of a link',
      [symlink('a', '/etc/passwd'), { name: 'b', type: 'link', linkname: 'a' }],
    ],
    [
      'for a device',
      '"d" is no file, folder or link',
      [{ name: 'd', type: 'character-device', devmajor: 1, devminor: 3 }],
    ],
    ['for a pipe', '"p" is no file, folder or link', [{ name: 'p', type: 'fifo' }]],
    ['for a name without end', 'an entry has a name of 5000 characters', [file('n'.repeat(5000))]],
    ['for more than it may hold', 'its files have more than 1000 bytes', [file('a', 'x'.repeat(1001))]],
  ]
  for (const [why, says, entries] of cases) {
    test(why, async () => {
      using folder = tempFolder()
      const archive = zstdCompressSync(await tarOf(file('first'), ...entries))
      assert.equal(await unpacked(folder.path, archive, { ...roomy, mostUnpacked: 1000 }), says)
      assert.deepEqual(readdirSync(folder.path), ['in'])
    })
  }

  test('for blowing up, in many frames and in one', async () => {
    using folder = tempFolder()
    const zeros = Buffer.alloc(1024 * 1024)
    const times = 17 * 64
    // The same gigabyte and a bit, in hardly any bytes: a file of zeros, whose header says how many.
    const head = (await tarOf({ name: 'zeros', type: 'file' })).subarray(0, 512)
    head.write(`${(times * zeros.length).toString(8).padStart(11, '0')}\0`, 124)
    head.write('        ', 148)
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    const frame = zstdCompressSync(zeros)
    const inMany = [zstdCompressSync(head), ...Array.from({ length: times }, () => frame)]
    const inOne = Readable.from([head, ...Array.from({ length: times }, () => zeros)]).pipe(createZstdCompress())
    const thrower = () => assert.fail()
    const how = {
      files: {
        find: thrower,
        pack: thrower,
        unpack: async (_: string, stream: Readable) => void (await drained(stream)),
      },
      limits: { mostStored: 1e12, mostUnpacked: 1e12 },
      rootOf: () => folder.path,
    }
    for (const packed of [Readable.from(inMany), inOne])
      await assert.rejects(unpackArchive(packed, how), /more than 1000 times as large as itself/)
  })

  test('for being broken, cut off, or no archive at all', async () => {
    using folder = tempFolder()
    const good = zstdCompressSync(await tarOf(file('a', 'x'.repeat(9000))))
    assert.match(await unpacked(folder.path, good.subarray(0, good.length - 20)), /it is broken/)
    assert.match(await unpacked(folder.path, Buffer.from('hello')), /it is broken/)
    const how = { files: shellFiles, limits: roomy, rootOf: () => folder.path }
    const noTar = zstdCompressSync(Buffer.alloc(5000, 'x'))
    await assert.rejects(unpackArchive(Readable.from([noTar]), how), /Cannot read the archive/)
    const half = zstdCompressSync((await tarOf(file('a', 'x'.repeat(9000)))).subarray(0, 4000))
    await assert.rejects(unpackArchive(Readable.from([half]), how), /it ends too early/)
  })
})

async function drained(stream: Readable): Promise<number> {
  let size = 0
  for await (const chunk of stream) size += (chunk as Buffer).length
  return size
}

test('links that lead anywhere are kept as links', async () => {
  using folder = tempFolder()
  const archive = zstdCompressSync(await tarOf(symlink('bin/python', '/usr/bin/python3'), symlink('up', '../..')))
  assert.equal(await unpacked(folder.path, archive), 'unpacked')
  assert.equal(readlinkSync(join(folder.path, 'in/bin/python')), '/usr/bin/python3')
})

test('what is packed comes out the same, whatever the names and wherever the pieces break', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(
        fc
          .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
          .map((name) => name.replaceAll(/[/\0]/g, '_').toWellFormed())
          .filter((name) => name !== '.' && name !== '..' && Buffer.byteLength(name) < 250),
        { minLength: 1, maxLength: 5 },
      ),
      fc.uint8Array({ maxLength: 3000 }),
      fc.integer({ min: 1, max: 4000 }),
      async (names, content, piece) => {
        using folder = tempFolder()
        const from = join(folder.path, 'from', 'd'.repeat(90), 'e'.repeat(90))
        mkdirSync(from, { recursive: true })
        for (const name of names) writeFileSync(join(from, name), content)
        const bundle = { root: join(folder.path, 'from'), paths: ['.'] }
        const archive = await buffer(packBundles(shellFiles, [bundle], roomy, assert.fail).stream)
        assert.equal(await unpacked(folder.path, archive, roomy, piece), 'unpacked')
        const to = join(folder.path, 'in', 'd'.repeat(90), 'e'.repeat(90))
        assert.deepEqual(readdirSync(to).toSorted(), readdirSync(from).toSorted())
        for (const name of readdirSync(to)) assert.deepEqual(new Uint8Array(readFileSync(join(to, name))), content)
      },
    ),
    { numRuns: 15 },
  )
})

test('what cannot be packed is left out and told, what must not be is refused', async () => {
  using folder = tempFolder()
  writeFileSync(join(folder.path, 'a'), 'x'.repeat(2000))
  symlinkSync('/nowhere', join(folder.path, 'dangling'))
  const told: string[] = []
  const odd = {
    ...shellFiles,
    pack: () =>
      Readable.from(
        (async function* () {
          yield await tarOf({ name: 'pipe', type: 'fifo' }, file('a'))
        })(),
      ),
  }
  const archive = await buffer(packBundles(odd, [{ root: '/', paths: ['.'] }], roomy, (line) => told.push(line)).stream)
  assert.deepEqual(told, ['Warning: could not archive "pipe" - it is no file, folder or link\n'])
  assert.equal(await unpacked(folder.path, archive), 'unpacked')
  assert.ok(existsSync(join(folder.path, 'in/a')))
  const small = packBundles(shellFiles, [{ root: folder.path, paths: ['a'] }], { ...roomy, mostUnpacked: 10 }, () => {})
  await assert.rejects(buffer(small.stream), /its files have more than 10 bytes/)
})

test('an archive of several archives reads as one, records included', async () => {
  const [one, two] = [await tarOf(file('one')), await tarOf({ ...file('two'), pax: { comment: 'hi' } })]
  const names: string[] = []
  for await (const part of tarParts(Readable.from([one, two]))) if (part.type === 'entry') names.push(part.entry.name)
  assert.deepEqual(names, ['one', 'two'])
})

test('the longest key is that of the contract', () => assert.equal(ours, longestKey))

test('others have their turn while many small files are unpacked', async () => {
  using folder = tempFolder()
  const count = 300
  const names = Array.from({ length: count }, (_, i) => file(`${i}`, ''))
  let [time, given] = [0, 0]
  // A millisecond for each look at the clock.
  const turns = openTurns(() => time++)
  const watched = { ...turns, give: () => (given++, turns.give()) }
  const how = { files: shellFiles, limits: roomy, rootOf: () => folder.path, turns: watched }
  await unpackArchive(Readable.from([zstdCompressSync(await tarOf(...names))]), how)
  assert.equal(readdirSync(folder.path).length, count)
  assert.ok(given >= count / 11, `${given} turns for ${count} files`)
})

test('what stands before an entry may be cut anywhere, and is whole', async () => {
  const long = `${'long/'.repeat(40)}name`
  const archive = await tarOf(file('a', 'abc'), file(long, 'x'.repeat(600)), symlink('b', long))
  for (const piece of [1, 511, 512, 513, 700, 1024, 1536, 4096]) {
    const heads: Buffer[] = []
    const names: string[] = []
    async function* cut(): AsyncGenerator<Buffer> {
      for (let at = 0; at < archive.length; at += piece) {
        const chunk = Buffer.from(archive.subarray(at, at + piece))
        yield chunk
        // Whoever takes it apart may give it back: nothing may still be needed.
        chunk.fill(0xff)
      }
    }
    for await (const part of tarParts(cut())) {
      if (part.type !== 'entry') continue
      names.push(part.entry.name)
      heads.push(Buffer.from(part.head))
    }
    assert.deepEqual(names, ['a', long, 'b'])
    assert.deepEqual(
      heads.map(({ length }) => length % 512),
      [0, 0, 0],
    )
    assert.ok(heads.every((head) => archive.includes(head)))
  }
})
