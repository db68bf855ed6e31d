import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommitWord, saidBetween } from './commit-status.ts'
import { approves, begin, cancel, ends, noon, retries, starts, workflow } from './play.ts'
import { decide, type Workflow, type WorkflowCommand } from './workflow.ts'

/** Everything that is said while a workflow goes through these commands: `build running`, and of the workflow itself `* running`. */
function said(start: Workflow, ...commands: readonly WorkflowCommand[]): readonly string[] {
  let before: Workflow | undefined
  let current = start
  return commands.flatMap((command) => {
    const { workflow: after } = decide(current, command, noon)
    const told = saidBetween(before, after).map(
      ({ job, status, words }) => `${job?.name ?? '*'} ${status}: ${words.replace(/^The (job|workflow) /, '')}`,
    )
    before = current = after
    return told
  })
}

test('jobs and workflow are told as they move, each word once', () => {
  assert.deepEqual(
    said(
      workflow('build', 'test: build'),
      begin,
      starts('build'),
      ends('build', 'success'),
      starts('test'),
      ends('test', 'success'),
    ),
    [
      'build pending: is queued',
      '* running: is running',
      'build running: is running',
      'build success: ended: success',
      'test pending: is queued',
      'test running: is running',
      'test success: ended: success',
      '* success: ended: success',
    ],
  )
})

test('what is not run because something failed is told when all is over', () => {
  assert.deepEqual(said(workflow('build', 'test: build'), begin, starts('build'), ends('build', 'failed')).slice(3), [
    'build failure: ended: failed',
    'test error: was not run',
    '* failure: ended: failed',
  ])
})

test('an approval waits, and is told as approved; a cancel ends what was begun and what was not', () => {
  assert.deepEqual(said(workflow('hold?', 'deploy: hold'), begin, approves('hold'), cancel), [
    'hold pending: waits for approval',
    '* pending: waits for approval',
    'hold success: was approved',
    'deploy pending: is queued',
    '* running: is running',
    'deploy error: ended: canceled',
    '* error: ended: canceled',
  ])
})

test('a job that is tried again on another machine goes on as if it had begun anew', () => {
  assert.deepEqual(said(workflow('build'), begin, starts('build'), retries('build', 'again')).slice(3), [
    'build pending: is queued',
  ])
})

test('every end of a job has one word', () => {
  const words = (['success', 'failed', 'timedout', 'infrastructure_fail', 'unauthorized', 'canceled'] as const).map(
    (outcome) => said(workflow('build'), begin, starts('build'), ends('build', outcome)).at(-2)?.split(' ')[1],
  )
  const expected: readonly `${CommitWord}:`[] = ['success:', 'failure:', 'failure:', 'error:', 'failure:', 'error:']
  assert.deepEqual(words, expected)
})
