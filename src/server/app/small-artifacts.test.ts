import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readSmallArtifacts } from './small-artifacts.ts'

const read = (...pieces: readonly string[]) =>
  readSmallArtifacts(Readable.from(pieces.map((piece) => Buffer.from(piece))) as AsyncIterable<Buffer>)

test('files that are sent together are told apart by their sizes, wherever the pieces break', async () => {
  const { files, bytes } = await read('[["a",1],["ü/b', '",3]]\nx\n', 'yz')
  assert.deepEqual(files, [
    { path: 'a', size: 1 },
    { path: 'ü/b', size: 3 },
  ])
  assert.equal(bytes.toString(), 'x\nyz')
  assert.deepEqual((await read('[]\n')).files, [])
})

test('a list that does not fit its bytes, or is none, is refused', async () => {
  for (const body of ['', 'x', '{}\n', '[["a",2]]\nx', '[["a",-1]]\n', '[[1,1]]\nx', '["a"]\nx', '[["a",0.5]]\n'])
    await assert.rejects(read(body), { code: 'invalid' }, body)
  await assert.rejects(read(`[["${'a'.repeat(1025)}",0]]\n`), { code: 'invalid' })
  await assert.rejects(read('x'.repeat(17 * 1024 * 1024)), { code: 'too-large' })
})
