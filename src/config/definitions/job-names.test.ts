import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesOf, planOf, storyOf, withSteps } from '#config/scenario.ts'

const body = '{machine: true, steps: [{run: x}]}'
const config = (version: string, names: readonly string[], jobs = names.join(', ')) =>
  `version: ${version}\njobs:\n${names.map((name) => `  "${name}": ${body}\n`).join('')}workflows: {version: 2, main: {jobs: [${jobs}]}}\n`

test('a job has a plain name, and one that differs from all others by more than case', () => {
  assert.deepEqual(storyOf(planOf(config('2.1', ['Build it-2_x', 'b']))), ['main: Build it-2_x, b'])
  assert.deepEqual(messagesOf(config('2.1', ['a.b', '1st', 'ok'], 'ok')), [
    'The name of a job must begin with a letter and have only letters, digits, blanks, _ and - in it: a.b',
    'The name of a job must begin with a letter and have only letters, digits, blanks, _ and - in it: 1st',
  ])
  assert.deepEqual(messagesOf(config('2.1', ['Build', 'test', 'build'])), [
    'Names of jobs must differ by more than case: build and Build',
  ])
})

test('compiled configurations carry any name that an invocation may have', () => {
  const names = ['node/test', 'test-A', 'test-a', '1.2']
  assert.deepEqual(storyOf(planOf(config('2', names, '"node/test", test-A, test-a, "1.2"'))), [
    `main: ${names.join(', ')}`,
  ])
})

test('the same job twice in a workflow is two jobs', () => {
  assert.deepEqual(storyOf(planOf(config('2.1', ['a'], 'a, a'))), ['main: a, a-1'])
})

test('only an approval runs without being defined', () => {
  const jobs = (type: string) => config('2.1', ['a'], `a, {later: {type: ${type}, requires: [a]}}`)
  assert.deepEqual(storyOf(planOf(jobs('approval'))), ['main: a, later?(a)'])
  assert.deepEqual(messagesOf(jobs('no-op')), ['Cannot find a definition for job named later'])
})

test('what no reference describes is refused: teardown of a run step', () => {
  assert.match(
    messagesOf(withSteps('- run: {command: x, teardown: y}')).join(),
    /\[teardown\] is not permitted|teardown/,
  )
})
