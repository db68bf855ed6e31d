import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf } from './columns.ts'

/** `'deploy: build test'` is a job and what it needs. */
const jobs = (...texts: readonly string[]) =>
  texts.map((text) => {
    const [id = '', needs = ''] = text.split(': ')
    return { id, dependencies: needs === '' ? [] : needs.split(' ') }
  })
const names = (...texts: readonly string[]) => columnsOf(jobs(...texts)).map((column) => column.map((job) => job.id))

test('jobs that need nothing stand in the first column', () => {
  assert.deepEqual(names('a', 'b'), [['a', 'b']])
})

test('a job stands right of everything it needs, however long the way', () => {
  assert.deepEqual(names('build', 'test: build', 'lint', 'deploy: build lint test'), [
    ['build', 'lint'],
    ['test'],
    ['deploy'],
  ])
})

test('the order in which jobs are listed does not matter for their columns', () => {
  assert.deepEqual(names('deploy: test', 'test: build', 'build'), [['build'], ['test'], ['deploy']])
})

test('a need that is not in the list is no need', () => {
  assert.deepEqual(names('a: elsewhere'), [['a']])
})

test('a ring ends, with every job shown once', () => {
  assert.deepEqual(names('a: b', 'b: a').flat().toSorted(), ['a', 'b'])
})

test('no jobs make no columns', () => {
  assert.deepEqual(names(), [])
})
