import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UserId } from './ids.ts'
import {
  ada,
  approves,
  begin,
  cancel,
  cancels,
  ends,
  jobId,
  noon,
  play,
  requeues,
  retries,
  starts,
  workflow,
} from './play.ts'
import { statusOf } from './workflow-status.ts'
import { decide } from './workflow.ts'

describe('a workflow', () => {
  test('queues what needs nobody when it begins', () => {
    const { jobs, status, story } = play(workflow('build', 'lint', 'test: build'), begin)
    assert.deepEqual(jobs, { build: 'queued', lint: 'queued', test: 'blocked' })
    assert.equal(status, 'running')
    assert.deepEqual(story, ['job-queued build', 'job-queued lint'])
  })

  test('runs to its end, and tells each move once', () => {
    const { status, story } = play(
      workflow('build', 'test: build'),
      begin,
      starts('build'),
      ends('build', 'success'),
      starts('test'),
      ends('test', 'success'),
    )
    assert.equal(status, 'success')
    assert.deepEqual(story, [
      'job-queued build',
      'job-started build',
      'job-completed build success',
      'job-queued test',
      'job-started test',
      'job-completed test success',
      'workflow-completed success',
    ])
  })

  test('does not run what needs a failed job, however far away', () => {
    const { jobs, status, story } = play(
      workflow('build', 'test: build', 'deploy: test'),
      begin,
      starts('build'),
      ends('build', 'failed'),
    )
    assert.deepEqual(jobs, { build: 'failed', test: 'not_run', deploy: 'not_run' })
    assert.equal(status, 'failed')
    assert.equal(story.at(-1), 'workflow-completed failed')
  })

  test('is failing while others still run beside a failure', () => {
    const { status } = play(workflow('a', 'b'), begin, starts('a'), starts('b'), ends('a', 'timedout'))
    assert.equal(status, 'failing')
  })

  test('runs a job that needs a failure only when there is one', () => {
    const lines = ['build', 'notify: build=failed|canceled'] as const
    const bad = play(workflow(...lines), begin, starts('build'), ends('build', 'infrastructure_fail'))
    const good = play(workflow(...lines), begin, starts('build'), ends('build', 'success'))
    assert.deepEqual([bad.jobs['notify'], bad.status], ['queued', 'failing'])
    assert.deepEqual([good.jobs['notify'], good.status], ['not_run', 'success'])
  })

  test('ends at once when all its jobs do nothing', () => {
    const { jobs, story } = play(workflow('first~', 'second~: first'), begin)
    assert.deepEqual(jobs, { first: 'success', second: 'success' })
    assert.deepEqual(story, ['workflow-completed success'])
  })

  test('refuses a job its contexts at the moment it would be queued', () => {
    const { jobs, status, story } = play(
      workflow('build', 'deploy!: build'),
      begin,
      starts('build'),
      ends('build', 'success'),
    )
    assert.deepEqual(jobs, { build: 'success', deploy: 'unauthorized' })
    assert.equal(status, 'unauthorized')
    assert.deepEqual(story.slice(-2), ['job-completed deploy unauthorized', 'workflow-completed unauthorized'])
  })

  test('is in error when the service could not start a job, and failed when it lost one that ran', () => {
    assert.equal(play(workflow('a'), begin, ends('a', 'infrastructure_fail')).status, 'error')
    assert.equal(play(workflow('a'), begin, starts('a'), ends('a', 'infrastructure_fail')).status, 'failed')
  })

  test('says nothing more once it has ended', () => {
    const { story, workflow: ended } = play(workflow('a'), begin, starts('a'), ends('a', 'success'))
    for (const late of [begin, cancel, cancels('a'), ends('a', 'failed'), requeues('a')]) {
      assert.deepEqual(decide(ended, late, noon), { workflow: ended, events: [] })
    }
    assert.equal(story.filter((line) => line.startsWith('workflow-completed')).length, 1)
  })
})

test('a job that still waits cannot be started or ended, only canceled', () => {
  const waiting = play(workflow('a', 'b: a'), begin).workflow
  const outcomes = ['success', 'failed', 'canceled', 'unauthorized', 'infrastructure_fail', 'timedout'] as const
  for (const command of [starts('b'), requeues('b'), ...outcomes.map((outcome) => ends('b', outcome))]) {
    assert.throws(() => decide(waiting, command, noon), { code: 'conflict' })
  }
  assert.equal(play(waiting, cancels('b')).jobs['b'], 'canceled')
})

test('a workflow that has not begun is running, as far as anybody can see', () => {
  assert.equal(statusOf(workflow('a', 'b: a').jobs), 'running')
})

describe('an approval', () => {
  test('holds the workflow until somebody approves', () => {
    const held = play(workflow('gate?', 'deploy: gate'), begin)
    assert.equal(held.status, 'on_hold')
    const after = play(held.workflow, approves('gate'))
    assert.deepEqual(after.jobs, { gate: 'success', deploy: 'queued' })
    assert.equal(after.workflow.jobs[0]?.approvedBy, ada)
    assert.deepEqual(after.story, ['job-queued deploy'])
  })

  test('that is canceled leaves what needs it not run', () => {
    const { jobs, status } = play(workflow('gate?', 'deploy: gate'), begin, cancels('gate'))
    assert.deepEqual(jobs, { gate: 'canceled', deploy: 'not_run' })
    assert.equal(status, 'canceled')
  })

  test('makes the approver answer for the contexts of what comes after', () => {
    const held = play(workflow('gate?', 'allowed!: gate', 'refused: gate', 'beside!'), begin).workflow
    const denied = [{ job: jobId('refused'), reason: 'bob may not' }]
    const { workflow: after } = decide(
      held,
      { type: 'approve-job', job: jobId('gate'), by: 'bob' as UserId, denied },
      noon,
    )
    const statuses = Object.fromEntries(after.jobs.map((job) => [job.name, job.status]))
    assert.deepEqual(statuses, { gate: 'success', allowed: 'queued', refused: 'unauthorized', beside: 'unauthorized' })
  })

  test('is given only where it is waited for', () => {
    const running = play(workflow('gate?', 'build'), begin, approves('gate'), starts('build')).workflow
    const conflict = { code: 'conflict', message: 'Cannot change job build as it must be on_hold: it is running' }
    assert.throws(() => decide(running, approves('build'), noon), conflict)
    assert.throws(() => decide(running, approves('gate'), noon), { code: 'conflict' })
    assert.throws(() => decide(running, approves('nobody'), noon), { code: 'not-found' })
  })
})

describe('cancelling', () => {
  test('a workflow stops all that has not ended, and outweighs an earlier failure', () => {
    const {
      jobs,
      status,
      story,
      workflow: after,
    } = play(workflow('a', 'b', 'c', 'd: c'), begin, starts('a'), starts('b'), ends('a', 'failed'), cancel)
    assert.deepEqual(jobs, { a: 'failed', b: 'canceled', c: 'canceled', d: 'canceled' })
    assert.deepEqual([status, after.canceledBy], ['canceled', ada])
    assert.deepEqual(story.slice(-5), [
      'job-cancel-requested b',
      'job-completed b canceled',
      'job-completed c canceled',
      'job-completed d canceled',
      'workflow-completed canceled',
    ])
  })

  test('a workflow does not let loose what waits for a cancellation', () => {
    const { jobs } = play(workflow('a', 'cleanup: a=canceled'), begin, starts('a'), cancel)
    assert.deepEqual(jobs, { a: 'canceled', cleanup: 'canceled' })
  })

  test('one job lets loose what waits for that', () => {
    const { jobs } = play(workflow('a', 'cleanup: a=canceled', 'deploy: a'), begin, starts('a'), cancels('a'))
    assert.deepEqual(jobs, { a: 'canceled', cleanup: 'queued', deploy: 'not_run' })
  })

  test('stands, whatever the agent reports afterwards', () => {
    const { jobs } = play(workflow('a'), begin, starts('a'), cancels('a'), ends('a', 'success'))
    assert.deepEqual(jobs, { a: 'canceled' })
  })
})

describe('a job whose machine is lost', () => {
  test('before its first step is queued again in its old place', () => {
    const { workflow: after, story } = play(workflow('a'), begin, starts('a'), requeues('a'))
    const [job] = after.jobs
    assert.deepEqual([job?.status, job?.startedAt, job?.queuedAt, job?.attempt], ['queued', undefined, noon, 1])
    assert.equal(story.at(-1), 'job-queued a')
  })

  test('later is retried as a new job, for which everybody waits instead', () => {
    const lost = play(workflow('a', 'b: a'), begin, starts('a'), retries('a', 'a2'))
    assert.deepEqual(lost.jobs, { a: 'retried', a2: 'queued', b: 'blocked' })
    assert.equal(lost.status, 'running')
    const { attempt, retryOf, name, startedAt } = lost.workflow.jobs[1]!
    assert.deepEqual(
      { attempt, retryOf, name, startedAt },
      { attempt: 2, retryOf: 'a', name: 'a', startedAt: undefined },
    )
    assert.deepEqual(lost.story.slice(-2), ['job-completed a retried', 'job-queued a2'])
    const won = play(lost.workflow, starts('a2'), ends('a2', 'success'), starts('b'), ends('b', 'success'))
    assert.equal(won.status, 'success')
  })

  test('is not retried when it ended in any other way', () => {
    const running = play(workflow('a'), begin, starts('a')).workflow
    const { workflow: after } = decide(
      running,
      { type: 'finish-job', job: jobId('a'), outcome: 'failed', retryAs: jobId('a2') },
      noon,
    )
    assert.deepEqual(
      after.jobs.map((job) => job.status),
      ['failed'],
    )
  })
})
