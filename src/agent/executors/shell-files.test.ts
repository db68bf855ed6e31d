import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { tempFolder } from '#agent/testing/world.ts'
import { shellFiles } from './shell-files.ts'

function tree(root: string): void {
  mkdirSync(join(root, 'src', '.hidden'), { recursive: true })
  writeFileSync(join(root, 'src', 'a.txt'), 'a')
  writeFileSync(join(root, 'src', 'b.log'), 'b'.repeat(3_000_000))
  writeFileSync(join(root, 'src', '.hidden', 'c'), '')
  writeFileSync(join(root, '-rf'), 'a name like an option')
  writeFileSync(join(root, 'a b\nc'), 'a name with a line break')
  symlinkSync('a.txt', join(root, 'src', 'link'))
  chmodSync(join(root, 'src', 'a.txt'), 0o755)
}

{
  const files = shellFiles
  test('what is packed is unpacked as it was', async () => {
    using from = tempFolder()
    using to = tempFolder()
    tree(from.path)
    await files.unpack(join(to.path, 'new'), files.pack(from.path, ['src', '-rf', 'a b\nc']))
    const at = (name: string) => join(to.path, 'new', name)
    assert.equal(readFileSync(at('src/a.txt'), 'utf8'), 'a')
    assert.equal(statSync(at('src/a.txt')).mode & 0o777, 0o755)
    assert.equal(statSync(at('src/b.log')).size, 3_000_000)
    assert.equal(statSync(at('src/.hidden/c')).size, 0)
    assert.equal(readlinkSync(at('src/link')), 'a.txt')
    assert.equal(readFileSync(at('-rf'), 'utf8'), 'a name like an option')
    assert.equal(readFileSync(at('a b\nc'), 'utf8'), 'a name with a line break')
    // The second time is harmless.
    await files.unpack(join(to.path, 'new'), files.pack(from.path, ['src']))
  })

  test('what cannot be packed or unpacked is an error, not a hang', async () => {
    using folder = tempFolder()
    await assert.rejects(buffer(files.pack(folder.path, ['not-there'])), /not-there/)
    const cut = Readable.from([Buffer.alloc(700, 'x')])
    await assert.rejects(files.unpack(folder.path, cut))
    const broken = new Readable({
      read() {
        this.destroy(new Error('The line went dead'))
      },
    })
    await assert.rejects(files.unpack(folder.path, broken), /The line went dead/)
  })
}

test('patterns find files and folders below a root, hidden ones only where a dot is written', async () => {
  using folder = tempFolder()
  tree(folder.path)
  const find = (...patterns: string[]) => shellFiles.find(folder.path, patterns)
  assert.deepEqual(await find('src'), ['src'])
  assert.deepEqual(await find('src/*.txt', 'src/a.txt', 'nothing'), ['src/a.txt'])
  assert.deepEqual(await find('src/*'), ['src/a.txt', 'src/b.log', 'src/link'])
  assert.deepEqual(await find('src/.h*'), ['src/.hidden'])
  assert.deepEqual(await shellFiles.find(join(folder.path, 'none'), ['*']), [])
})
