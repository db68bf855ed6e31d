import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { groupsOf, longest, testFilesIn } from './test-groups.ts'

const root = join(import.meta.dirname, '..')
const file = (path: string, text = '') => ({ path, text })

test('files of a room share processes, and what changes its process runs alone', () => {
  const groups = groupsOf([
    file('src/core/a.test.ts'),
    file('src/core/b.test.ts', `process.chdir('/')`),
    file('src/core/deep/c.test.ts'),
    file('src/core/d.test.ts', `const there = await look()`),
    file('src/agent/e.test.ts'),
    file('test/f.test.ts'),
  ])
  assert.deepEqual(
    groups.map(({ files }) => files.join(' ')),
    [
      'test/f.test.ts',
      'src/agent/e.test.ts',
      'src/core/b.test.ts',
      'src/core/d.test.ts',
      'src/core/a.test.ts src/core/deep/c.test.ts',
    ],
  )
})

test('many files are dealt out to groups of about one size', () => {
  const files = Array.from({ length: 30 }, (_, place) => file(`src/server/${place}.test.ts`))
  const groups = groupsOf(files)
  assert.deepEqual(
    groups.map((group) => [group.name, group.files.length]),
    [
      ['src/server 1 of 3', 10],
      ['src/server 2 of 3', 10],
      ['src/server 3 of 3', 10],
    ],
  )
})

test('rooms are spread over the run, so that what waits is never alone, and what is quick comes last', () => {
  const names = ['src/core/a', 'test/chaos/a', 'test/chaos/b', 'test/docker/a', 'test/docker/b', 'src/agent/a']
  assert.deepEqual(
    groupsOf(names.map((name) => file(`${name}.test.ts`))).map(({ name }) => name),
    [
      'test/chaos/a.test.ts',
      'test/docker/a.test.ts',
      'src/agent/a.test.ts',
      'test/chaos/b.test.ts',
      'test/docker/b.test.ts',
      'src/core 1 of 1',
    ],
  )
})

test('every test file of the repository is in exactly one group, and the long ones are there and come first', () => {
  const files = testFilesIn(root, [])
  const groups = groupsOf(files)
  assert.deepEqual(
    groups.flatMap((group) => group.files).toSorted(),
    files.map(({ path }) => path),
  )
  assert.deepEqual(
    groups.slice(0, longest.length).map((group) => group.files),
    longest.map((path) => [path]),
  )
})

test('a folder, a file and a pattern name tests, each once', () => {
  const paths = (...patterns: readonly string[]) => testFilesIn(root, patterns).map(({ path }) => path)
  assert.deepEqual(paths('tool/lock.test.ts', 'tool/loc*.test.ts'), ['tool/lock.test.ts'])
  assert.ok(paths('tool').includes('tool/test-groups.test.ts'))
  assert.deepEqual(paths('tool/none.test.ts'), [])
  assert.ok(longest.every((path) => existsSync(join(root, path))))
})
