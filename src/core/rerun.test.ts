import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Instant, later } from '#kit/brand.ts'
import type { JobId, WorkflowId } from './ids.ts'
import { newWorkflow } from './new-workflow.ts'
import { begin, ends, jobId, noon, play, retries, starts, workflow } from './play.ts'
import { rerun, type RerunRequest, type RerunTerms, retryJob } from './rerun.ts'
import type { Workflow } from './workflow.ts'

/** New ids are `new-1`, `new-2`, ... */
function terms(at: Instant = noon, reruns = 0): RerunTerms {
  let count = 0
  return { at, reruns, newId: () => jobId(`new-${++count}`), denialOf: () => undefined }
}

/** `build reused`, `test blocked < build`: short enough to compare. */
function shown(from: Workflow, request: RerunRequest): readonly string[] {
  const jobs = rerun(from, request, terms()).map(({ job }) => job)
  const nameOf = (id: JobId) => jobs.find((job) => job.id === id)?.name
  return jobs.map((job) => {
    const needs = job.needs.map((need) => nameOf(need.job)).join(' ')
    return `${job.name} ${job.reusedFrom ? 'reused' : job.status}${needs && ` < ${needs}`}`
  })
}

/** build succeeded, test failed, so deploy was not run; lint succeeded and report after it. */
const failed = play(
  workflow('build', 'test: build', 'deploy: test', 'lint', 'report: lint'),
  begin,
  ...['build', 'lint', 'report'].flatMap((name) => [starts(name), ends(name, 'success')]),
  starts('test'),
  ends('test', 'failed'),
).workflow

describe('a rerun', () => {
  test('of the whole runs every job anew', () => {
    assert.deepEqual(shown(failed, {}), [
      'build blocked',
      'test blocked < build',
      'deploy blocked < test',
      'lint blocked',
      'report blocked < lint',
    ])
  })

  test('from failed carries over what succeeded', () => {
    assert.deepEqual(shown(failed, { fromFailed: true, jobs: [] }), [
      'build reused',
      'test blocked < build',
      'deploy blocked < test',
      'lint reused',
      'report reused < lint',
    ])
  })

  test('of listed jobs runs them and what depends on them, and leaves out what had not succeeded', () => {
    assert.deepEqual(shown(failed, { jobs: [jobId('lint')] }), [
      'build reused',
      'lint blocked',
      'report blocked < lint',
    ])
    assert.deepEqual(shown(failed, { jobs: [jobId('deploy')] }), [
      'build reused',
      'deploy blocked',
      'lint reused',
      'report reused < lint',
    ])
  })

  test('of a sparse tree runs the listed jobs and what lies between them, and nothing after', () => {
    const jobs = [jobId('build'), jobId('deploy')]
    assert.deepEqual(shown(failed, { jobs, sparseTree: true }), [
      'build blocked',
      'test blocked < build',
      'deploy blocked < test',
    ])
    assert.deepEqual(shown(failed, { jobs: [jobId('test')], sparseTree: true }), [
      'build reused',
      'test blocked < build',
    ])
  })

  test('opens only the listed machines to SSH', () => {
    const open = rerun(failed, { jobs: [jobId('test')], enableSsh: true }, terms()).filter(({ ssh }) => ssh)
    assert.deepEqual(
      open.map(({ job, from }) => [job.name, from]),
      [['test', 'test']],
    )
  })

  test('says which job it repeats, and whose result it carries through any number of reruns', () => {
    const first = rerun(failed, { fromFailed: true }, terms())
    const again = play(
      newWorkflow(
        'w2' as WorkflowId,
        'main',
        first.map(({ job }) => job),
        noon,
      ),
      begin,
      starts('new-2'),
      ends('new-2', 'failed'),
    )
    const [build] = rerun(again.workflow, { fromFailed: true }, terms())
    assert.deepEqual([build?.from, build?.job.reusedFrom], ['new-1', 'build'])
  })

  test('asks anew who may use which contexts', () => {
    const jobs = rerun(
      failed,
      { fromFailed: true },
      { ...terms(), denialOf: ({ name }) => (name === 'deploy' ? 'no' : undefined) },
    )
    assert.deepEqual(
      jobs.flatMap(({ job }) => (job.denied === undefined ? [] : [job.name])),
      ['deploy'],
    )
  })

  test('takes a job that was automatically retried for its last retry', () => {
    const retried = play(
      workflow('a', 'b: a'),
      begin,
      starts('a'),
      retries('a', 'a2'),
      starts('a2'),
      ends('a2', 'failed'),
    ).workflow
    assert.deepEqual(shown(retried, { jobs: [jobId('a')] }), ['a blocked', 'b blocked < a'])
  })
})

describe('a rerun is refused', () => {
  const refused =
    (request: RerunRequest, from = failed, limits = terms()) =>
    () =>
      rerun(from, request, limits)
  const jobs = [jobId('test')]

  test('when its flags do not go together', () => {
    for (const request of [
      { fromFailed: true, jobs },
      { fromFailed: true, sparseTree: true },
      { fromFailed: true, enableSsh: true },
      { sparseTree: true },
      { enableSsh: true, jobs: [] },
    ]) {
      assert.throws(refused(request), { code: 'invalid' }, JSON.stringify(request))
    }
  })

  test('while the workflow has not ended', () => {
    const running = play(workflow('a'), begin).workflow
    assert.throws(refused({}, running), {
      code: 'conflict',
      message: 'Workflow must be in a terminal state to be rerun',
    })
  })

  test('after 100 reruns or 90 days', () => {
    const ninety = 90 * 24 * 60 * 60 * 1000
    assert.throws(refused({}, failed, terms(noon, 100)), { code: 'conflict' })
    assert.throws(refused({}, failed, terms(later(noon, ninety))), { code: 'conflict' })
    assert.doesNotThrow(refused({}, failed, terms(later(noon, ninety - 1), 99)))
  })

  test('from failed when nothing failed, and of jobs that are not its own', () => {
    const fine = play(workflow('a'), begin, starts('a'), ends('a', 'success')).workflow
    assert.throws(refused({ fromFailed: true }, fine), { code: 'invalid' })
    assert.throws(refused({ jobs: [jobId('stranger')] }), { code: 'invalid' })
  })
})

test('a retry of generation 1.1 is one job that waits for nobody', () => {
  const jobs = retryJob(failed, jobId('deploy'), terms())
  assert.deepEqual(
    jobs.map(({ job, from }) => [job.id, job.name, job.status, job.needs, from]),
    [['new-1', 'deploy', 'blocked', [], 'deploy']],
  )
  assert.throws(() => retryJob(play(workflow('gate?'), begin).workflow, jobId('gate'), terms()), { code: 'invalid' })
})
