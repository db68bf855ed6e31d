import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { getProject } from '#contract/v2/project.ts'
import { createWebhook } from '#contract/v2/webhook.ts'
import { newPerson } from '#test/api/people.ts'
import { openService, type Service } from '#test/api/service.ts'
import { openReceiver, type Received } from './receiver.ts'
import { watch } from './watch.ts'

const config = `version: 2.1
jobs:
  build:
    machine: true
    steps: [run: echo built]
  test:
    machine: true
    steps: [run: exit 1]
workflows:
  main:
    jobs: [build, test]
`
const slug = { provider: 'gh', org: 'acme', repo: 'web' }

interface Event {
  readonly id: string
  readonly type: string
  readonly happened_at: string
  readonly webhook: { readonly id: string; readonly name: string }
  readonly project: { readonly slug: string }
  readonly organization: { readonly name: string }
  readonly workflow: { readonly id: string; readonly status?: string; readonly url: string }
  readonly pipeline: {
    readonly number: number
    readonly trigger: { readonly type: string }
    readonly vcs: { readonly branch: string; readonly revision: string }
  }
  readonly job?: { readonly name: string; readonly status: string; readonly number: number }
}

const eventOf = ({ body }: Received) => JSON.parse(body) as Event

/** A project that builds nothing yet, and a webhook of it. */
async function prepare(service: Service, url: string, ...events: readonly ('workflow-completed' | 'job-completed')[]) {
  const ada = await newPerson(service.world, 'ada')
  await service.push('acme/web', { readme: 'x' }, ['first'], ada.token, 'Begin [skip ci]')
  const { id } = await service.call(getProject, { params: slug }, ada.token)
  const body = {
    name: 'hook',
    url,
    events: [...events],
    'verify-tls': true,
    'signing-secret': 'sécret',
    scope: { id, type: 'project' as const },
  }
  const hook = await service.call(createWebhook, { body }, ada.token)
  const push = () => service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  return { ada, hook, push, ...watch(service, 'web', ada.token) }
}

const settled = (service: Service, count: number) =>
  service.until(async () => {
    const rows = await service.world.db.selectFrom('deliveries').selectAll().execute()
    return rows.length >= count && rows.every(({ attempts }) => attempts > 0) ? rows : undefined
  })

test('a receiver is told of every end once, signed, with everything around it', async () => {
  await using receiver = await openReceiver(() => 200)
  await using service = await openService({ agentSlots: 2, terms: { webhookHosts: [receiver.host] } })
  const { hook, push, workflowOf, workflowIs } = await prepare(
    service,
    receiver.url,
    'workflow-completed',
    'job-completed',
  )
  const revision = await push()
  const workflow = await workflowOf('main')
  await workflowIs(workflow.id, workflow.pipeline_id, 'failed')
  await settled(service, 3)
  const told = receiver.received.map(eventOf)
  assert.deepEqual(
    told.map(({ type, job, workflow: of }) => `${type} ${job ? `${job.name} ${job.status}` : of.status}`).toSorted(),
    ['job-completed build success', 'job-completed test failed', 'workflow-completed failed'],
  )
  assert.equal(new Set(told.map(({ id }) => id)).size, 3)
  for (const [index, { headers, body }] of receiver.received.entries()) {
    const signature = `v1=${createHmac('sha256', 'sécret').update(body).digest('hex')}`
    assert.deepEqual([headers['service-signature'], headers['circleci-signature']], [signature, signature])
    assert.deepEqual(
      [headers['service-event-type'], headers['circleci-event-type']],
      [told[index]?.type, told[index]?.type],
    )
    assert.deepEqual([headers['content-type'], headers['user-agent']], ['application/json', 'Service-Webhook/1.0'])
    assert.equal(JSON.stringify(JSON.parse(body)), body)
    const { webhook, project, organization, pipeline, workflow: of } = eventOf({ headers, body })
    assert.deepEqual(
      [webhook, project.slug, organization.name],
      [{ id: hook.id, name: 'hook' }, 'provider-a/acme/web', 'acme'],
    )
    assert.deepEqual(
      [pipeline.trigger.type, pipeline.vcs.branch, pipeline.vcs.revision, of.id],
      ['webhook', 'main', revision, workflow.id],
    )
  }
  const rows = await settled(service, 3)
  assert.deepEqual([...new Set(rows.map(({ state, attempts }) => `${state} ${attempts}`))], ['delivered 1'])
})

test('a delivery that failed comes again later with the same id and the same bytes, and a redirect is a failure', async () => {
  await using receiver = await openReceiver((_, count) => (count === 1 ? 500 : count === 2 ? 302 : 204))
  await using service = await openService({ agentSlots: 2, terms: { webhookHosts: [receiver.host] } })
  const { push, workflowOf, workflowIs } = await prepare(service, receiver.url, 'workflow-completed')
  const begun = Date.parse(service.world.now())
  await push()
  const workflow = await workflowOf('main')
  await workflowIs(workflow.id, workflow.pipeline_id, 'failed')
  const delivery = async (attempts: number) =>
    service.until(
      async () =>
        (await service.world.db.selectFrom('deliveries').selectAll().where('attempts', '=', attempts).execute())[0],
    )
  const now = () => Date.parse(service.world.now())
  /** Whether the next attempt is so many seconds, within five, behind one that was made at some time since then. */
  const waits = ({ next_at }: { readonly next_at: string }, seconds: number, since: number) =>
    Date.parse(next_at) >= since + (seconds - 5) * 1000 && Date.parse(next_at) <= now() + (seconds + 5) * 1000
  const first = await delivery(1)
  assert.deepEqual([first.state, first.status_code, waits(first, 30, begun)], ['pending', 500, true])
  assert.equal(receiver.received.length, 1)
  service.clock.aheadMs += 31_000
  const again = now()
  service.world.bell.ring('deliveries')
  const second = await delivery(2)
  assert.deepEqual([second.state, second.status_code, waits(second, 120, again)], ['pending', 302, true])
  service.clock.aheadMs += 121_000
  service.world.bell.ring('deliveries')
  const third = await delivery(3)
  assert.deepEqual([third.state, third.status_code], ['delivered', 204])
  assert.equal(receiver.received.length, 3)
  assert.equal(
    new Set(receiver.received.map(({ body, headers }) => `${String(headers['service-signature'])} ${body}`)).size,
    1,
  )
})

test('a receiver in our own network that nobody allowed is never reached', async () => {
  await using receiver = await openReceiver(() => 200)
  await using service = await openService({ agentSlots: 1 })
  const { hook, push, workflowOf, workflowIs } = await prepare(service, 'https://example.com/', 'workflow-completed')
  // As if its name had led outside when it was given: only what it leads to now counts.
  const port = receiver.host.split(':')[1]
  await service.world.db
    .updateTable('webhooks')
    .set({ url: `https://localhost:${port}/` })
    .where('id', '=', hook.id)
    .execute()
  await push()
  const workflow = await workflowOf('main')
  await workflowIs(workflow.id, workflow.pipeline_id, 'failed')
  const [row] = await settled(service, 1)
  assert.deepEqual([row?.state, row?.status_code], ['pending', null])
  assert.match(row?.error ?? '', /outside of our network/)
  assert.deepEqual(receiver.received, [])
})
