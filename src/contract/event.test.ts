import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { type Event, JobCompleted, Ping, WorkflowCompleted } from './event.ts'

const at = '2030-01-01T12:00:00.000Z'
const id = randomUUID()
const common = { id, happened_at: at, webhook: { id, name: 'chat' } }
const run = {
  ...common,
  project: { id, slug: 'provider-a/acme/web', name: 'web' },
  organization: { id, name: 'acme' },
  pipeline: { id, number: 3, created_at: at, trigger: { type: 'webhook' }, vcs: { revision: 'abc', branch: 'main' } },
}
const workflow = { id, name: 'main', created_at: at, url: 'https://ci.example.com/w' }
const job = { id, number: 4, name: 'build', status: 'success', started_at: at }

test('an event of a workflow says how it ended; an event of a job says that of the job only', () => {
  assert.ok(
    Check(WorkflowCompleted, { type: 'workflow-completed', ...run, workflow: { ...workflow, status: 'error' } }),
  )
  assert.equal(Check(WorkflowCompleted, { type: 'workflow-completed', ...run, workflow }), false)
  assert.ok(Check(JobCompleted, { type: 'job-completed', ...run, workflow, job }))
  assert.equal(Check(JobCompleted, { type: 'job-completed', ...run, workflow }), false)
  assert.equal(
    Check(JobCompleted, { type: 'job-completed', ...run, workflow, job: { ...job, status: 'error' } }),
    false,
  )
})

test('a ping names its webhook and nothing more', () => {
  const ping: Event = { type: 'ping', ...common }
  assert.ok(Check(Ping, ping))
  assert.deepEqual(Object.keys(Ping.properties), ['type', 'id', 'happened_at', 'webhook'])
})
