import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDelivery, listDeliveries, pingWebhook, redeliver } from '#contract/rh/deliveries.ts'
import { getProject } from '#contract/v2/project.ts'
import { createWebhook } from '#contract/v2/webhook.ts'
import { signatureOf } from '#server/app/deliveries.ts'
import { openReceiver } from '#test/scenarios/receiver.ts'
import { newPerson } from './people.ts'
import { openService, type Service } from './service.ts'

async function hookTo(service: Service, url: string) {
  await service.push('acme/web', { readme: 'x' }, ['main'], service.admin.token, 'Begin [skip ci]')
  const { id } = await service.call(getProject, { params: { provider: 'gh', org: 'acme', repo: 'web' } })
  return service.call(createWebhook, {
    body: {
      name: 'hook',
      url,
      events: ['workflow-completed'],
      scope: { id, type: 'project' },
      'verify-tls': true,
      'signing-secret': 's3cret',
    },
  })
}

const ended = (service: Service, id: string, attempts: number) =>
  service.until(async () => {
    const whole = await service.call(getDelivery, { params: { id } })
    return whole.attempt_log.length >= attempts ? whole : undefined
  })

test('a ping is sent at once, signed, and says nothing but whom it is for; its log tells request, answer and time', async () => {
  await using receiver = await openReceiver(() => 200)
  await using service = await openService({ terms: { webhookHosts: [receiver.host] } })
  const hook = await hookTo(service, receiver.url)
  const { id, event } = await service.call(pingWebhook, { params: { webhook_id: hook.id } })
  const whole = await ended(service, id, 1)
  const [received] = receiver.received
  const body = JSON.parse(received?.body ?? '') as Record<string, unknown>
  assert.deepEqual(Object.keys(body), ['type', 'id', 'happened_at', 'webhook'])
  assert.deepEqual([body['type'], body['id'], body['webhook']], ['ping', event.id, { id: hook.id, name: 'hook' }])
  assert.equal(received?.headers['service-event-type'], 'ping')
  assert.equal(received?.headers['service-signature'], signatureOf('s3cret', received?.body ?? ''))
  assert.deepEqual([whole.state, whole.attempts, whole.status_code], ['delivered', 1, 200])
  assert.equal(whole.request.body, received?.body)
  assert.equal(whole.request.headers['Service-Signature'], received?.headers['service-signature'])
  const [attempt] = whole.attempt_log
  assert.deepEqual(
    [attempt?.url, attempt?.status_code, attempt?.answer, attempt?.error],
    [hook.url, 200, 'thanks', null],
  )
  assert.ok((attempt?.duration_ms ?? -1) >= 0)
})

test('a delivery that failed can be sent again by hand, the same to the byte, and has all its attempts before it', async () => {
  await using receiver = await openReceiver((_, count) => (count === 1 ? 500 : 200))
  await using service = await openService({ terms: { webhookHosts: [receiver.host] } })
  const hook = await hookTo(service, receiver.url)
  const { id } = await service.call(pingWebhook, { params: { webhook_id: hook.id } })
  const failed = await ended(service, id, 1)
  assert.deepEqual([failed.state, failed.attempts, failed.status_code], ['pending', 1, 500])
  assert.ok(failed.next_attempt_at !== null)
  const again = await service.call(redeliver, { params: { id } })
  assert.deepEqual([again.state, again.attempts], ['pending', 0])
  const done = await ended(service, id, 2)
  assert.deepEqual(
    [done.state, done.attempts, done.attempt_log.map((one) => one.status_code)],
    ['delivered', 1, [500, 200]],
  )
  assert.equal(receiver.received[0]?.body, receiver.received[1]?.body)
  await service.call(redeliver, { params: { id } })
  await ended(service, id, 3)
  assert.equal(receiver.received.length, 3)
})

test('what was given up is listed as such, and comes once more when somebody asks for it', async () => {
  let status = 500
  await using receiver = await openReceiver(() => status)
  await using service = await openService({ terms: { webhookHosts: [receiver.host] } })
  const hook = await hookTo(service, receiver.url)
  const { id } = await service.call(pingWebhook, { params: { webhook_id: hook.id } })
  const given = async (state: 'pending' | 'dead') =>
    (await service.call(listDeliveries, { params: { webhook_id: hook.id }, query: { state } })).items.map(
      (one) => one.id,
    )
  for (let attempts = 1; attempts <= 6; attempts++) {
    await ended(service, id, attempts)
    assert.deepEqual(await given(attempts < 6 ? 'pending' : 'dead'), [id])
    // More than the longest wait.
    service.clock.aheadMs += 7_201_000
    service.world.bell.ring('deliveries')
  }
  status = 200
  await service.call(redeliver, { params: { id } })
  const done = await ended(service, id, 7)
  assert.deepEqual([done.state, done.attempts, done.attempt_log.at(-1)?.status_code], ['delivered', 1, 200])
  assert.deepEqual([receiver.received.length, new Set(receiver.received.map(({ body }) => body)).size], [7, 1])
  assert.deepEqual(await given('dead'), [])
})

test('the log of a webhook is newest first, by state, in pages, and only for those who may configure its project', async () => {
  await using receiver = await openReceiver((_, count) => (count % 2 === 0 ? 200 : 404))
  await using service = await openService({ terms: { webhookHosts: [receiver.host] } })
  const hook = await hookTo(service, receiver.url)
  const ids: string[] = []
  for (let i = 0; i < 60; i++) ids.push((await service.call(pingWebhook, { params: { webhook_id: hook.id } })).id)
  await service.until(async () => (receiver.received.length === 60 ? true : undefined))
  const params = { webhook_id: hook.id }
  const seen = await service.until(async () => {
    const first = await service.call(listDeliveries, { params, query: {} })
    const second = await service.call(listDeliveries, {
      params,
      query: { 'page-token': first.next_page_token ?? '' },
    })
    assert.equal(second.next_page_token, null)
    const all = [...first.items, ...second.items]
    return all.every(({ attempts }) => attempts === 1) ? all : undefined
  })
  assert.deepEqual(
    seen.map(({ id }) => id),
    ids.toReversed(),
  )
  // What came first was sent first.
  assert.deepEqual(
    receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id),
    seen.map(({ event }) => event.id).toReversed(),
  )
  const pending = await service.call(listDeliveries, { params, query: { state: 'pending' } })
  assert.deepEqual([pending.items.length, pending.next_page_token], [30, null])
  const stranger = await newPerson(service.world, 'eve')
  const refused = await service.ask({
    method: 'GET',
    path: `/api/rh/v1/delivery/${ids[0]}`,
    token: stranger.token,
    headers: {},
  })
  assert.deepEqual([refused.status, refused.text], [404, '{"message":"Delivery not found."}'])
})
