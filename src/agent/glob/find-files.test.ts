import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '#agent/testing/world.ts'
import { openTurns } from '#agent/turns.ts'
import { findFiles } from './find-files.ts'
import { literal, matcherOf, onlyPathOf } from './pattern.ts'

function tree(root: string): void {
  for (const folder of ['a/b/c', 'a/.h/x', 'd', 'e']) mkdirSync(join(root, folder), { recursive: true })
  const files = [
    'a/1.txt',
    'a/b/2.txt',
    'a/b/c/3.txt',
    'a/.h/x/4.txt',
    'a/.dot',
    'd/5.txt',
    'd/(1).txt',
    'd/[x]',
    'd/{y,z}',
  ]
  for (const file of files) writeFileSync(join(root, file), '')
  symlinkSync('../a', join(root, 'd/link'))
  symlinkSync('nowhere', join(root, 'e/broken'))
  symlinkSync('..', join(root, 'a/b/up'))
}

/** Patterns, and what each means in the tree above. */
const meanings: Readonly<Record<string, readonly string[]>> = {
  a: ['a'],
  'a/': ['a'],
  './a//b/': ['a/b'],
  'a/1.txt/': [],
  'a/1.txt/*': [],
  none: [],
  '': [],
  '.': ['.'],
  '*': ['a', 'd', 'e'],
  '*/': ['a', 'd', 'e'],
  'a/*': ['a/1.txt', 'a/b'],
  'a/.*': ['a/.dot', 'a/.h'],
  'a/?': ['a/b'],
  '[a-c]': ['a'],
  '[!a]': ['d', 'e'],
  '[^a-d]': ['e'],
  'a/**': ['a', 'a/1.txt', 'a/b', 'a/b/2.txt', 'a/b/c', 'a/b/c/3.txt', 'a/b/up'],
  'a/**/': ['a', 'a/b', 'a/b/c'],
  '**/*.txt': ['a/1.txt', 'a/b/2.txt', 'a/b/c/3.txt', 'd/(1).txt', 'd/5.txt'],
  'a/**/**/*.txt': ['a/1.txt', 'a/b/2.txt', 'a/b/c/3.txt'],
  '**/c': ['a/b/c'],
  'a/**/c/*': ['a/b/c/3.txt'],
  '**/.h/**': ['a/.h', 'a/.h/x', 'a/.h/x/4.txt'],
  'a/{b,.h}/*': ['a/.h/x', 'a/b/2.txt', 'a/b/c', 'a/b/up'],
  'a/{b/{2,9},1}.txt': ['a/1.txt', 'a/b/2.txt'],
  '{a,d}/[0-9].txt': ['a/1.txt', 'd/5.txt'],
  '{a,b': [],
  'd/(1).txt': ['d/(1).txt'],
  // What shells call extended patterns are characters like any other here.
  '@(a|d)': [],
  '+(a|d)': [],
  'd/?(5).txt': [],
  'd/*(1).txt': ['d/(1).txt'],
  'd/!(5).txt': [],
  'd/[x]': [],
  'd/[[]x]': ['d/[x]'],
  'd/\\[x\\]': ['d/[x]'],
  'd/\\{y,z\\}': ['d/{y,z}'],
  'd/l*/1.txt': ['d/link/1.txt'],
  'd/link/*': ['d/link/1.txt', 'd/link/b'],
  'e/*': ['e/broken'],
  'a/../d/5.txt': ['d/5.txt'],
}

test('patterns mean files and folders: hidden ones where a dot is written, links where they are named', async () => {
  using folder = tempFolder()
  tree(folder.path)
  const found: Record<string, readonly string[]> = {}
  for (const pattern of Object.keys(meanings)) found[pattern] = await findFiles(folder.path, [pattern])
  assert.deepEqual(found, meanings)
  assert.deepEqual(await findFiles(join(folder.path, 'd'), ['../e/*', '*.txt', '5.*', '5.txt']), [
    '(1).txt',
    '../e/broken',
    '5.txt',
  ])
  assert.deepEqual(await findFiles(join(folder.path, 'none'), ['*', '**']), [])
})

test('a list of names is asked as a tree is', () => {
  const names = ['a', 'a/1.txt', 'a/b', 'a/b/c/3.txt', 'a/.h/x/4.txt', 'd/5.txt']
  const meant = (...patterns: readonly string[]) => names.filter(matcherOf(patterns))
  assert.deepEqual(meant('**/*.txt'), ['a/1.txt', 'a/b/c/3.txt', 'd/5.txt'])
  assert.deepEqual(meant('a/*', 'd/{4,5}.txt'), ['a/1.txt', 'a/b', 'd/5.txt'])
  assert.deepEqual(meant('**/.h/**'), ['a/.h/x/4.txt'])
})

test('a name can be asked for as it is', async () => {
  using folder = tempFolder()
  const names = ['[x]', '{y,z}', 'a*', 'back\\slash', 'who?', '!no', '{1']
  for (const name of names) writeFileSync(join(folder.path, name), '')
  for (const name of names) {
    assert.deepEqual(await findFiles(folder.path, [literal(name)]), [name])
    assert.equal(onlyPathOf(`a/${literal(name)}`), `a/${name}`)
  }
  assert.deepEqual(['a*', 'a/{b,c}', '[x]', '**'].map(onlyPathOf), [undefined, undefined, undefined, undefined])
})

test('a folder that cannot be read holds nothing, and the rest is found', async () => {
  using folder = tempFolder()
  mkdirSync(join(folder.path, 'shut'))
  writeFileSync(join(folder.path, 'shut/x'), '')
  writeFileSync(join(folder.path, 'y'), '')
  chmodSync(join(folder.path, 'shut'), 0)
  const found = await findFiles(folder.path, ['**/[xy]'])
  chmodSync(join(folder.path, 'shut'), 0o700)
  // Root reads everything.
  assert.deepEqual(found, process.getuid?.() === 0 ? ['shut/x', 'y'] : ['y'])
})

test('a pattern that leaves many ways open is as quick as any other', () => {
  const isMeant = matcherOf([`${'*a'.repeat(30)}*b`, `${'{a,b}'.repeat(30)}c`])
  assert.equal(isMeant('a'.repeat(250)), false)
  assert.equal(isMeant(`${'a'.repeat(249)}b`), true)
})

test('others have their turn however many names there are', async () => {
  using folder = tempFolder()
  const count = 1000
  for (let i = 0; i < count; i++) writeFileSync(join(folder.path, `${(i * 7919) % count}.txt`), '')
  // A clock by which every look at it takes a millisecond: how many turns are given depends on nothing else.
  let time = 0
  let given = 0
  const turns = openTurns(() => time++)
  const watched = { ...turns, give: () => (given++, turns.give()) }
  const found = await findFiles(folder.path, ['*.txt'], watched)
  assert.deepEqual(found, Array.from({ length: count }, (_, i) => `${i}.txt`).toSorted())
  // Each name is followed by a look at the clock, and sorting looks too.
  assert.ok(given >= count / 11, `${given} turns for ${count} names`)
})
