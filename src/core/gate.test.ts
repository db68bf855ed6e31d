import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gated } from './gate.ts'
import type { PlannedJob } from './plan.ts'

const job = (name: string, ...needs: PlannedJob['needs']): PlannedJob => ({ name, kind: 'no-op', needs, contexts: [] })

test('behind a gate every job needs its approval, also one that runs when another is canceled', () => {
  const workflow = { name: 'w', jobs: [job('build'), job('tidy', { job: 'build', on: ['canceled'] })] }
  const { jobs } = gated(workflow)
  assert.deepEqual(
    jobs.map(({ name, kind, needs }) => [name, kind, needs.map((need) => `${need.job} ${need.on.join()}`)]),
    [
      ['approve-fork', 'approval', []],
      ['build', 'no-op', ['approve-fork success']],
      ['tidy', 'no-op', ['approve-fork success', 'build canceled']],
    ],
  )
})

test('a gate finds a name that no job has, so that no configuration can stand in its place', () => {
  const { jobs } = gated({ name: 'w', jobs: [job('approve-fork'), job('approve-fork-2')] })
  assert.equal(jobs[0]?.name, 'approve-fork-3')
})
