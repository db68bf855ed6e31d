import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { Blobs, Span } from './blobs.ts'
import { diskBlobs } from './disk.ts'

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'roundhouse-blobs-'))
  return { path, blobs: diskBlobs(path), [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

async function textOf(blobs: Blobs, key: string, span?: Span): Promise<string | undefined> {
  const blob = await blobs.get(key, span)
  return blob && Buffer.concat(await Array.fromAsync(blob as AsyncIterable<Buffer>)).toString()
}

test('what was put can be got, whole or in part, and put again', async () => {
  await using it = await folder()
  await it.blobs.put('logs/a/1', Buffer.from('hello world'))
  assert.deepEqual([await textOf(it.blobs, 'logs/a/1'), await it.blobs.size('logs/a/1')], ['hello world', 11])
  assert.equal(await textOf(it.blobs, 'logs/a/1', { start: 4, end: 6 }), 'o w')
  await it.blobs.put('logs/a/1', Readable.from([Buffer.from('good '), Buffer.from('bye')]))
  assert.equal(await textOf(it.blobs, 'logs/a/1'), 'good bye')
})

test('what is not there is nothing, and may be removed twice', async () => {
  await using it = await folder()
  assert.deepEqual([await it.blobs.get('logs/a'), await it.blobs.size('logs/a')], [undefined, undefined])
  await it.blobs.put('logs/a', Buffer.from('x'))
  await it.blobs.remove('logs/a')
  await it.blobs.remove('logs/a')
  assert.equal(await it.blobs.get('logs/a'), undefined)
})

test('a stream that breaks leaves what was there before, and no litter', async () => {
  await using it = await folder()
  await it.blobs.put('logs/a', Buffer.from('before'))
  async function* broken() {
    yield Buffer.from('after')
    throw new Error('The line is dead')
  }
  await assert.rejects(it.blobs.put('logs/a', Readable.from(broken())), /The line is dead/)
  assert.equal(await textOf(it.blobs, 'logs/a'), 'before')
  assert.deepEqual(await readdir(join(it.path, 'logs')), ['a'])
})

test('until it is whole, a blob does not show', async () => {
  await using it = await folder()
  let isThere: unknown
  async function* slow() {
    yield Buffer.from('half')
    isThere = await it.blobs.size('logs/a')
    yield Buffer.from('whole')
  }
  await it.blobs.put('logs/a', Readable.from(slow()))
  assert.deepEqual([isThere, await it.blobs.size('logs/a')], [undefined, 9])
})

test('a blob that is removed while it is read is read to its end', async () => {
  await using it = await folder()
  await it.blobs.put('live/a/1', Buffer.alloc(1_000_000, 'x'))
  const blob = await it.blobs.get('live/a/1')
  await it.blobs.removeAll('live/a/')
  assert.equal(Buffer.concat(await Array.fromAsync(blob as AsyncIterable<Buffer>)).length, 1_000_000)
})

test('everything below a prefix can be removed, and put there again', async () => {
  await using it = await folder()
  for (const key of ['live/a/1/0', 'live/a/2/0', 'live/ab/1/0']) await it.blobs.put(key, Buffer.from(key))
  await it.blobs.removeAll('live/a/')
  assert.deepEqual(
    [await textOf(it.blobs, 'live/a/1/0'), await textOf(it.blobs, 'live/ab/1/0')],
    [undefined, 'live/ab/1/0'],
  )
  await it.blobs.put('live/a/1/0', Buffer.from('again'))
  assert.equal(await textOf(it.blobs, 'live/a/1/0'), 'again')
})

for (const key of ['', '/etc/passwd', '../a', 'a/../b', 'a//b', 'a/', '.a', 'A', 'a\0b', 'a\\b', 'a..b']) {
  test(`a key like ${JSON.stringify(key)} is refused by all who take one`, async () => {
    await using it = await folder()
    const refused = /Cannot use blob key/
    await assert.rejects(it.blobs.put(key, Buffer.from('x')), refused)
    await assert.rejects(it.blobs.get(key), refused)
    await assert.rejects(it.blobs.size(key), refused)
    await assert.rejects(it.blobs.remove(key), refused)
  })
}
