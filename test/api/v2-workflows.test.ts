import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { cancelJob, getJob } from '#contract/v2/job.ts'
import { listPipelineWorkflows, triggerPipeline } from '#contract/v2/pipeline.ts'
import { approveJob, cancelWorkflow, getWorkflow, listWorkflowJobs, rerunWorkflow } from '#contract/v2/workflow.ts'
import { addressOf, messageOf } from './ask.ts'
import { type Farm, openFarm, slug } from './farm.ts'
import { newHand } from './hand.ts'
import { openService, type Service } from './service.ts'

describe('workflows of generation 2', () => {
  let service: Service
  let farm: Farm
  let hand: Awaited<ReturnType<typeof newHand>>
  before(async () => {
    service = await openService()
    farm = await openFarm(service)
    hand = await newHand(service)
  })
  after(() => service[Symbol.asyncDispose]())

  const read = (id: string) => service.call(getWorkflow, { params: { id } }, farm.ada.token)
  const jobsOf = async (id: string) =>
    (await service.call(listWorkflowJobs, { params: { id }, query: {} }, farm.ada.token)).items
  const statuses = async (id: string) =>
    Object.fromEntries((await jobsOf(id)).map(({ name, status }) => [name, status]))

  async function begin(): Promise<string> {
    const { id } = await service.call(triggerPipeline, { params: slug, body: {} }, farm.ada.token)
    return service.until(
      async () =>
        (await service.call(listPipelineWorkflows, { params: { pipeline_id: id }, query: {} }, farm.ada.token)).items[0]
          ?.id,
    )
  }

  /** A workflow whose build has ended, and which waits for approval or has failed. */
  async function built(outcome: 'success' | 'failed'): Promise<string> {
    const id = await begin()
    const ids = (await jobsOf(id)).map((job) => job.id)
    for (;;) {
      const jobs = await hand.claim()
      for (const job of jobs) await hand.finish(job, ids.includes(job.id) ? outcome : 'success')
      if (jobs.some((job) => ids.includes(job.id))) return id
    }
  }

  const approvalOf = async (id: string) =>
    (await jobsOf(id)).find(({ type }) => type === 'approval')?.approval_request_id ?? ''

  async function refused(
    endpoint: typeof approveJob | typeof rerunWorkflow,
    params: object,
    body?: object,
  ): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    const question = { method: 'POST', path: addressOf(endpoint, { ...params }), token: farm.ada.token, headers }
    const answer = await service.ask({ ...question, ...(body && { body: JSON.stringify(body) }) })
    return `${answer.status} ${messageOf(answer)}`
  }

  test('wait for an approval, which is given once', async () => {
    const id = await built('success')
    assert.deepEqual(
      [(await read(id)).status, await statuses(id)],
      ['on_hold', { build: 'success', hold: 'on_hold', deploy: 'blocked' }],
    )
    const approval_request_id = await approvalOf(id)
    const answer = await service.call(approveJob, { params: { id, approval_request_id } }, farm.member.token)
    assert.deepEqual(answer, { message: 'Accepted.' })
    const held = (await jobsOf(id)).find(({ name }) => name === 'hold')
    assert.deepEqual([held?.status, held?.approved_by, held?.id], ['success', farm.member.id, approval_request_id])
    assert.match(await refused(approveJob, { id, approval_request_id }), /^409 /)
    await hand.play('deploy', 'success')
    const { status, stopped_at } = await read(id)
    assert.equal(status, 'success')
    assert.match(stopped_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  test('refuse to approve what is no approval of theirs', async () => {
    const id = await begin()
    const [build] = (await jobsOf(id)).filter(({ type }) => type === 'build')
    assert.match(await refused(approveJob, { id, approval_request_id: build?.id ?? '' }), /^4(00|04|09) /)
    assert.match(
      await refused(approveJob, { id, approval_request_id: await approvalOf(farm.workflow.id) }),
      /^4(00|04) /,
    )
    assert.match(
      await refused(approveJob, { id: farm.project.id, approval_request_id: id }),
      /^404 Workflow not found\.$/,
    )
  })

  test('are canceled, and stay as they are when they have ended', async () => {
    const id = await begin()
    const cancel = () => service.call(cancelWorkflow, { params: { id } }, farm.ada.token)
    assert.deepEqual(await cancel(), { message: 'Accepted.' })
    const ended = await read(id)
    assert.deepEqual([ended.status, ended.canceled_by], ['canceled', farm.ada.id])
    assert.deepEqual(await cancel(), { message: 'Accepted.' })
    assert.deepEqual(await read(id), ended)
    const done = await built('failed')
    const earlier = await jobsOf(done)
    const number = earlier.find(({ name }) => name === 'build')?.job_number ?? 0
    await service.call(cancelJob, { params: { ...slug, job_number: number } }, farm.ada.token)
    assert.deepEqual(await jobsOf(done), earlier)
  })

  test('show a job with everything around it, and no details of an approval', async () => {
    const id = await built('success')
    const [build] = (await jobsOf(id)).filter(({ name }) => name === 'build')
    const details = await service.call(
      getJob,
      { params: { ...slug, job_number: build?.job_number ?? 0 } },
      farm.ada.token,
    )
    assert.deepEqual(
      [details.name, details.status, details.latest_workflow.id, details.project.slug],
      ['build', 'success', id, 'provider-a/acme/web'],
    )
    assert.ok(details.duration !== null && details.duration >= 0)
    const none = await service.ask({
      method: 'GET',
      path: '/api/v2/project/gh/acme/web/job/99999',
      token: farm.ada.token,
    })
    assert.equal(none.text, '{"message":"Job not found."}')
  })

  test('are rerun from what failed, whole, or by listed jobs, each time as a new one', async () => {
    const id = await built('failed')
    await service.call(approveJob, { params: { id, approval_request_id: await approvalOf(id) } }, farm.ada.token)
    assert.equal((await read(id)).status, 'failed')
    const rerun = (body: object) => service.call(rerunWorkflow, { params: { id }, body }, farm.ada.token)
    const fromFailed = await rerun({ from_failed: true })
    assert.deepEqual(await statuses(fromFailed.workflow_id), { build: 'queued', hold: 'success', deploy: 'blocked' })
    assert.deepEqual(await statuses((await rerun({})).workflow_id), {
      build: 'queued',
      hold: 'on_hold',
      deploy: 'blocked',
    })
    const build = (await jobsOf(id)).find(({ name }) => name === 'build')
    const listed = await rerun({ jobs: [build?.id], sparse_tree: true })
    assert.deepEqual(await statuses(listed.workflow_id), { build: 'queued' })
    assert.equal((await read(id)).status, 'failed')
    const workflows = await service.call(
      listPipelineWorkflows,
      { params: { pipeline_id: (await read(id)).pipeline_id }, query: {} },
      farm.ada.token,
    )
    assert.equal(workflows.items.length, 4)
  })

  test('refuse to be rerun against the rules', async () => {
    const running = await begin()
    assert.match(await refused(rerunWorkflow, { id: running }, {}), /^409 /)
    const id = await built('failed')
    await service.call(approveJob, { params: { id, approval_request_id: await approvalOf(id) } }, farm.ada.token)
    const jobs = (await jobsOf(id)).map((job) => job.id)
    const wrong = [
      { from_failed: true, jobs },
      { sparse_tree: true },
      { sparse_tree: true, from_failed: true },
      { enable_ssh: true },
      { enable_ssh: true, from_failed: true, jobs },
      { jobs: [farm.project.id] },
    ]
    for (const body of wrong) assert.match(await refused(rerunWorkflow, { id }, body), /^400 /, JSON.stringify(body))
  })
})
