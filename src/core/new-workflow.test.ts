import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowId } from './ids.ts'
import { newWorkflow, plannedJobs } from './new-workflow.ts'
import type { PlannedJob } from './plan.ts'
import { begin, jobId, noon, play, workflow } from './play.ts'

const planned = (name: string, needs: PlannedJob['needs'], contexts: readonly string[] = []): PlannedJob => ({
  name,
  kind: 'build',
  needs,
  contexts,
})

function newIds() {
  let count = 0
  return () => jobId(`id-${++count}`)
}

test('the jobs of a plan get ids, keep their order and their needs, and wait', () => {
  const jobs = [planned('build', []), planned('deploy', [{ job: 'build', on: ['success', 'failed'] }], ['prod'])]
  const denialOf = ({ contexts }: { readonly contexts: readonly string[] }) =>
    contexts.includes('prod') ? 'not yours' : undefined
  const machine = { resourceClass: 'medium', executor: 'machine', parallelism: 1 }
  const common = { kind: 'build', ...machine, status: 'blocked', attempt: 1 }
  assert.deepEqual(plannedJobs({ name: 'main', jobs }, newIds(), denialOf), [
    { id: 'id-1', name: 'build', needs: [], contexts: [], ...common },
    {
      id: 'id-2',
      name: 'deploy',
      needs: [{ job: 'id-1', on: ['success', 'failed'] }],
      contexts: ['prod'],
      denied: 'not yours',
      ...common,
    },
  ])
})

test('a plan that needs a job it does not have is a fault of ours', () => {
  const jobs = [planned('deploy', [{ job: 'build', on: ['success'] }])]
  assert.throws(() => plannedJobs({ name: 'main', jobs }, newIds(), () => undefined), TypeError)
})

test('a workflow whose jobs are out of order is a fault of ours', () => {
  const { jobs } = workflow('a', 'b: a')
  assert.throws(() => newWorkflow('w' as WorkflowId, 'main', jobs.toReversed(), noon), TypeError)
})

test('a workflow in which everything was carried over is completed when it begins', () => {
  const carried = workflow('a').jobs.map((job) => ({ ...job, status: 'success' as const, reusedFrom: jobId('old') }))
  const { story, status } = play(newWorkflow('w' as WorkflowId, 'main', carried, noon), begin)
  assert.deepEqual([status, story], ['success', ['workflow-completed success']])
})
