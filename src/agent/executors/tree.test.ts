import assert from 'node:assert/strict'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readHeader } from '#agent/archive/tar-header.ts'
import { tarParts } from '#agent/archive/tar-parts.ts'
import { headerOf } from '#agent/archive/tar-write.ts'
import { tempFolder } from '#agent/testing/world.ts'
import { shellFiles } from './shell-files.ts'

test('hard links, long names, times and folders that nobody may write to come out as they were', async () => {
  using from = tempFolder()
  using to = tempFolder()
  const long = ['d'.repeat(120), 'f'.repeat(200)]
  mkdirSync(join(from.path, 'a', long[0]!), { recursive: true })
  writeFileSync(join(from.path, 'a', ...long), 'deep')
  linkSync(join(from.path, 'a', ...long), join(from.path, 'a', 'second'))
  symlinkSync('x'.repeat(150), join(from.path, 'a', 'far'))
  mkdirSync(join(from.path, 'a', 'locked'))
  writeFileSync(join(from.path, 'a', 'locked', 'inside'), 'in')
  utimesSync(join(from.path, 'a', 'second'), 1_000_000_000, 1_000_000_000)
  chmodSync(join(from.path, 'a', 'locked'), 0o555)
  utimesSync(join(from.path, 'a', 'locked'), 1_100_000_000, 1_100_000_000)

  await shellFiles.unpack(to.path, shellFiles.pack(from.path, ['a']))
  const at = (...names: readonly string[]) => join(to.path, 'a', ...names)
  assert.equal(statSync(at(...long)).ino, statSync(at('second')).ino)
  assert.equal(readFileSync(at('second'), 'utf8'), 'deep')
  assert.equal(statSync(at('second')).mtimeMs, 1_000_000_000_000)
  assert.equal(lstatSync(at('far')).size, 150)
  assert.equal(statSync(at('locked')).mode & 0o777, 0o555)
  assert.equal(statSync(at('locked')).mtimeMs, 1_100_000_000_000)
  for (const root of [from.path, to.path]) chmodSync(join(root, 'a', 'locked'), 0o755)
})

test('what is in the way is replaced and never written through', async () => {
  using from = tempFolder()
  using to = tempFolder()
  mkdirSync(join(from.path, 'folder'))
  writeFileSync(join(from.path, 'file'), 'new')
  writeFileSync(join(from.path, 'folder', 'inside'), 'new')
  writeFileSync(join(to.path, 'victim'), 'old')
  mkdirSync(join(to.path, 'elsewhere'))
  symlinkSync('victim', join(to.path, 'file'))
  symlinkSync('elsewhere', join(to.path, 'folder'))
  await shellFiles.unpack(to.path, shellFiles.pack(from.path, ['file', 'folder']))
  assert.equal(readFileSync(join(to.path, 'victim'), 'utf8'), 'old')
  assert.equal(readFileSync(join(to.path, 'file'), 'utf8'), 'new')
  assert.equal(lstatSync(join(to.path, 'folder')).isDirectory(), true)
  assert.equal(statSync(join(to.path, 'folder', 'inside')).size, 3)
})

test('names that are no UTF-8 come out byte by byte, of files, folders and links, also where a pattern found them', async () => {
  using from = tempFolder()
  const raw = (...parts: readonly (string | number)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))))
  const top = `${from.path}/a`
  mkdirSync(raw(top, '/', 0xff, '-é'), { recursive: true })
  writeFileSync(raw(top, '/', 0xff, '-é/', 0xc3), 'one')
  writeFileSync(raw(top, '/', 0xfe), 'two')
  linkSync(raw(top, '/', 0xfe), raw(top, '/hard', 0x80))
  symlinkSync(raw(0xfe), raw(top, '/soft'))
  writeFileSync(raw(top, '/', 0xe9, 'x'.repeat(150)), 'long')
  writeFileSync(raw(top, '/\u{1f480}\ufffd'), 'letters')
  for (const paths of [['a'], await shellFiles.find(from.path, ['a/*'])]) {
    using to = tempFolder()
    await shellFiles.unpack(to.path, shellFiles.pack(from.path, paths))
    const names = readdirSync(`${to.path}/a`, { encoding: 'buffer' }).map((name) => name.toString('latin1'))
    const wanted = readdirSync(top, { encoding: 'buffer' }).map((name) => name.toString('latin1'))
    assert.deepEqual(names.toSorted(), wanted.toSorted())
    assert.equal(readFileSync(raw(to.path, '/a/', 0xff, '-é/', 0xc3), 'utf8'), 'one')
    assert.equal(readFileSync(`${to.path}/a/soft`, 'utf8'), 'two')
    assert.equal(statSync(raw(to.path, '/a/', 0xfe)).nlink, 2)
  }
})

test('a folder with very many files comes out whole', async () => {
  using from = tempFolder()
  using to = tempFolder()
  mkdirSync(join(from.path, 'many'))
  for (let i = 0; i < 1500; i++) writeFileSync(join(from.path, 'many', `${'n'.repeat(200)}${i}`), String(i))
  writeFileSync(Buffer.concat([Buffer.from(`${from.path}/many/`), Buffer.of(0xff)]), 'raw')
  assert.ok(statSync(join(from.path, 'many')).size > 64 * 1024, 'The folder must be a large one')
  await shellFiles.unpack(to.path, shellFiles.pack(from.path, ['many']))
  const names = (root: string) => readdirSync(join(root, 'many'), { encoding: 'latin1' }).toSorted()
  assert.deepEqual(names(to.path), names(from.path))
  assert.equal(readFileSync(join(to.path, 'many', `${'n'.repeat(200)}77`), 'utf8'), '77')
})

test('a file as large as no octal number says so in binary, and is read as such', () => {
  const size = 20 * 1024 ** 3
  assert.equal(readHeader(headerOf('large', 'file', { mode: 0o644, mtimeMs: 0, size })).size, size)
})

test('what is no file, folder or link has a header that says so', async () => {
  const parts = await Array.fromAsync(tarParts(Readable.from([headerOf('pipe', 'other', statSync('/dev/null'))])))
  assert.deepEqual(
    parts.map((part) => part.type === 'entry' && part.entry.type),
    ['other'],
  )
})
