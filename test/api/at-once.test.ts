import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, valueOf } from './ask.ts'
import { openFarm, slug } from './farm.ts'
import { newHand } from './hand.ts'
import { openService, type Service } from './service.ts'
import { listWorkflowJobs } from '#contract/v2/workflow.ts'
import { listProjectPipelines } from '#contract/v2/pipeline.ts'

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted()
const manyTimes = <T>(count: number, ask: () => Promise<T>) => Promise.all(Array.from({ length: count }, ask))

test('of several approvals at once one counts, and whoever was late is told', async () => {
  await using service = await openService()
  const { ada, workflow, jobs } = await openFarm(service)
  const hold = jobs.find(({ type }) => type === 'approval')
  const path = `/api/v2/workflow/${workflow.id}/approve/${hold?.id}`
  const answers = await manyTimes(6, () => service.ask({ method: 'POST', path, token: ada.token }))
  assert.deepEqual(statuses(answers), [202, 409, 409, 409, 409, 409])
})

test('pipelines that are triggered at once have numbers of their own, without a gap', async () => {
  await using service = await openService()
  const { ada } = await openFarm(service)
  const answers = await manyTimes(15, () =>
    service.ask({ method: 'POST', path: '/api/v2/project/gh/acme/web/pipeline', token: ada.token }),
  )
  const numbers = answers.map((answer) => (valueOf(answer) as { readonly number: number }).number)
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    Array.from({ length: 15 }, (_, index) => index + 2),
  )
  const { items } = await service.call(listProjectPipelines, { params: slug, query: {} }, ada.token)
  assert.equal(items.length, 16)
})

test('builds that are triggered at once have numbers of their own', async () => {
  await using service = await openService()
  const { ada, job } = await openFarm(service)
  const answers = await manyTimes(10, () =>
    service.ask({
      method: 'POST',
      path: '/api/v1.1/project/gh/acme/web',
      token: ada.token,
      headers: { accept: '*/*' },
    }),
  )
  const numbers = answers.map((answer) => (valueOf(answer) as { readonly build_num: number }).build_num)
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    Array.from({ length: 10 }, (_, index) => job.number + 1 + index),
  )
})

test('a job that is finished while it is canceled ends once', async () => {
  await using service = await openService()
  const { ada, workflow, agent: _agent } = await openFarm(service)
  const hand = await newHand(service)
  const number = await begin(service, ada.token)
  const [job] = await hand.claim()
  assert.ok(job && job.number === number)
  const cancel = service.ask({
    method: 'POST',
    path: `/api/v2/project/gh/acme/web/job/${number}/cancel`,
    token: ada.token,
  })
  const [answer] = await Promise.all([cancel, hand.finish(job, 'success')])
  assert.equal(answer.status, 202)
  const { items } = await service.call(listWorkflowJobs, { params: { id: workflow.id }, query: {} }, ada.token)
  assert.equal(items.length, 3)
  const rows = await service.world.db.selectFrom('events').selectAll().where('job_id', '=', job.id).execute()
  assert.equal(rows.filter(({ kind }) => kind === 'job-completed').length, 1)
})

async function begin(service: Service, token: string): Promise<number> {
  const answer = await service.ask({
    method: 'POST',
    path: '/api/v1.1/project/gh/acme/web',
    token,
    headers: { accept: '*/*' },
  })
  return (valueOf(answer) as { readonly build_num: number }).build_num
}
