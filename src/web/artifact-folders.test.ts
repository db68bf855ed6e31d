import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldersOf, previewOf, sizeText } from './artifact-folders.ts'

test('files lie in the folders that their paths name, folders first and all by name', () => {
  const tree = foldersOf(['b.txt', 'report/z.html', 'report/a/1.png', 'a.txt'].map((path) => ({ path })))
  assert.deepEqual(
    { folders: tree.folders.map(({ name }) => name), files: tree.files.map(({ name }) => name) },
    { folders: ['report'], files: ['a.txt', 'b.txt'] },
  )
  assert.equal(tree.folders[0]?.folders[0]?.files[0]?.file.path, 'report/a/1.png')
})

test('names of the language itself are names like any other', () => {
  const tree = foldersOf([{ path: '__proto__/constructor' }])
  assert.equal(tree.folders[0]?.name, '__proto__')
  assert.equal(tree.folders[0]?.files[0]?.name, 'constructor')
})

test('text, pages and images can be looked at, other things and large ones only downloaded', () => {
  assert.deepEqual(
    [previewOf('a.html', 1), previewOf('A.PNG', 9_000_000), previewOf('a.bin', 1), previewOf('a.txt', 9_000_000)],
    ['frame', 'image', undefined, undefined],
  )
})

test('sizes are told in units that fit', () => {
  assert.deepEqual([0, 999, 1_000, 1_540_000, 2e12].map(sizeText), ['0 B', '999 B', '1.0 kB', '1.5 MB', '2.0 TB'])
})
