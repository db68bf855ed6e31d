import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf, messagesOf, planOf, storyOf, withWorkflow } from '#config/scenario.ts'

test('jobs come in dependency order, otherwise as they were written', () => {
  const source = withWorkflow(['a', 'b', 'c', 'd'], 'jobs: [{d: {requires: [b, c]}}, {c: {requires: [a]}}, b, a]')
  assert.deepEqual(storyOf(planOf(source)), ['main: b, a, c(a), d(b c)'])
})

test('a need may be met by any ending that is named', () => {
  const jobs =
    'jobs: [a, {b: {requires: [{a: failed}]}}, {c: {requires: [{a: [success, canceled]}]}}, {d: {requires: [{a: terminal}]}}]'
  assert.deepEqual(storyOf(planOf(withWorkflow(['a', 'b', 'c', 'd'], jobs))), [
    'main: a, b(a=failed), c(a=success/canceled), d(a=success/failed/canceled/unauthorized/not_run)',
  ])
})

test('an approval needs no definition, and what is named is required by its name', () => {
  const jobs =
    'jobs: [{a: {name: first one}}, {hold: {type: approval, requires: [first one]}}, {b: {requires: [hold]}}]'
  assert.deepEqual(storyOf(planOf(withWorkflow(['a', 'b'], jobs))), ['main: first one, hold?(first one), b(hold)'])
})

test('of two jobs of one name, the second may require the first; of three, none may', () => {
  assert.deepEqual(storyOf(planOf(withWorkflow(['a'], 'jobs: [a, {a: {requires: [a]}}]'))), ['main: a, a-1(a)'])
  assert.deepEqual(messagesOf(withWorkflow(['a'], 'jobs: [a, a, {a: {requires: [a]}}]')), [
    "Job 'a' requires 'a', which is the name of 2 other jobs in workflow 'main'",
  ])
})

test('a need that names no other job is told, with its place', () => {
  assert.deepEqual(problemsOf(withWorkflow(['a'], 'jobs: [{a: {requires: [does_not_exist]}}]')), [
    "7:28 workflow: main > job: a | Job 'a' requires 'does_not_exist', which is the name of 0 other jobs in workflow 'main'",
  ])
})

test('jobs that require each other are named', () => {
  assert.deepEqual(messagesOf(withWorkflow(['a', 'b', 'c'], 'jobs: [c, {a: {requires: [b]}}, {b: {requires: [a]}}]')), [
    "Cannot order the jobs of workflow 'main' as they require each other: a, b",
  ])
  assert.deepEqual(
    messagesOf(withWorkflow(['a'], 'jobs: [{a: {requires: [b]}}, {b: {type: approval, requires: [a]}}]')),
    [
      'At least one job in the workflow must have no dependencies.',
      "Cannot order the jobs of workflow 'main' as they require each other: a, b",
    ],
  )
})

test('an ending that does not exist is refused', () => {
  assert.deepEqual(messagesOf(withWorkflow(['a', 'b'], 'jobs: [a, {b: {requires: [{a: done}]}}]')), [
    '[requires] Input not a valid enum value: done. Valid values: success, failed, canceled, unauthorized, not_run, terminal',
  ])
})

test('a chain of thousands of jobs is put in order', () => {
  const count = 3000
  const items = Array.from(
    { length: count },
    (_, i) => `  - a: {name: j${i}${i > 0 ? `, requires: [j${i - 1}]` : ''}}`,
  ).reverse()
  const [story] = storyOf(planOf(withWorkflow(['a'], `jobs:\n${items.join('\n')}`)))
  assert.ok(story?.startsWith('main: j0, j1(j0), j2(j1)'))
})
