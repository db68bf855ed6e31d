import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JobId } from './ids.ts'
import { begin, cancel, cancels, ends, jobId, play, skips, starts, takes, workflow } from './play.ts'
import { rerun, retryJob } from './rerun.ts'
import { placesOf } from './serial.ts'

const any = 'success|failed|canceled|unauthorized|not_run'
const deploy = () => workflow('build', 'in[prod: build', 'deploy: in', `out]prod: deploy=${any}`)
const built = [begin, starts('build'), ends('build', 'success')]

const places = (...commands: Parameters<typeof play>[1][]) =>
  Object.fromEntries(placesOf(play(deploy(), ...commands).workflow))

describe('a serial group', () => {
  test('is waited for, then held until the unlock, however the job between ends', () => {
    assert.deepEqual(places(begin), {})
    assert.deepEqual(places(...built), { in: 'waiting' })
    assert.deepEqual(places(...built, takes('in')), { in: 'held' })
    assert.deepEqual(places(...built, takes('in'), starts('deploy')), { in: 'held' })
    for (const outcome of ['success', 'failed'] as const)
      assert.deepEqual(places(...built, takes('in'), starts('deploy'), ends('deploy', outcome)), {})
  })

  test('is let go when the workflow is canceled, waiting or holding', () => {
    assert.deepEqual(places(...built, cancel), {})
    assert.deepEqual(places(...built, takes('in'), starts('deploy'), cancel), {})
    assert.deepEqual(places(...built, cancels('in')), {})
  })

  test('that was missed leaves out what needed it', () => {
    const { jobs, status } = play(deploy(), ...built, skips('in'))
    assert.deepEqual(jobs, { build: 'success', in: 'not_run', deploy: 'not_run', out: 'success' })
    assert.equal(status, 'success')
  })

  test('is no affair of agents', () => {
    assert.deepEqual(play(deploy(), ...built).story.slice(-1), ['job-completed build success'])
  })
})

describe('a rerun', () => {
  const terms = () => {
    let count = 0
    return {
      at: '2026-01-02T12:00:00.000Z' as never,
      reruns: 0,
      newId: () => `new-${++count}` as JobId,
      denialOf: () => undefined,
    }
  }
  const failed = play(deploy(), ...built, takes('in'), starts('deploy'), ends('deploy', 'failed')).workflow

  test('from failed takes the lock and the unlock with it', () => {
    const jobs = rerun(failed, { fromFailed: true }, terms()).map(({ job }) => `${job.name} ${job.status} ${job.key}`)
    assert.deepEqual(jobs, [
      'build success undefined',
      'in blocked prod',
      'deploy blocked undefined',
      'out blocked prod',
    ])
  })

  test('of one build in generation 1.1 waits for the serial group again', () => {
    const jobs = retryJob(failed, jobId('deploy'), terms()).map(({ job }) => [
      job.kind,
      job.needs.map((need) => need.job),
    ])
    assert.deepEqual(jobs, [
      ['lock', []],
      ['build', ['new-2']],
      ['unlock', ['new-1']],
    ])
  })
})
