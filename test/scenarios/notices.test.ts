import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { Build } from '#contract/v1/build.ts'
import { newPerson } from '#test/api/people.ts'
import { openService, type Service } from '#test/api/service.ts'
import { openReceiver } from './receiver.ts'

const config = (url: string) => `version: 2
jobs:
  build:
    machine: true
    steps: [run: exit 3]
notify:
  webhooks:
    - url: ${url}
`

const noticesOf = ({ world }: Service) =>
  world.db.selectFrom('notices').select(['url', 'state', 'attempts', 'status_code', 'error']).execute()

test('a build that ends is posted whole to the addresses that its configuration names, until somebody takes it', async () => {
  await using receiver = await openReceiver((_, count) => (count === 1 ? 503 : 200))
  await using service = await openService({ agentSlots: 1, terms: { webhookHosts: [receiver.host] } })
  const ada = await newPerson(service.world, 'ada')
  await service.push('acme/web', { '.service/config.yml': config(receiver.url) }, ['main'], ada.token)
  await service.until(async () => receiver.received.length > 0 || undefined)
  await service.until(async () => ((await noticesOf(service))[0]?.attempts ?? 0) > 0 || undefined)
  service.clock.aheadMs = 31_000
  service.world.bell.ring('deliveries')
  await service.until(async () => ((await noticesOf(service))[0]?.state === 'delivered' ? true : undefined))
  const [first, second] = receiver.received
  assert.equal(first?.body, second?.body)
  assert.equal(first?.headers['content-type'], 'application/json')
  const { payload, ...others } = JSON.parse(first?.body ?? '{}') as { readonly payload: unknown }
  assert.deepEqual(others, {})
  assert.ok(Check(Build, payload), 'the payload is the record of a build')
  assert.deepEqual(
    [payload.status, payload.outcome, payload.lifecycle, payload.steps.at(-1)?.actions[0]?.exit_code],
    ['failed', 'failed', 'finished', 3],
  )
})

test('an address inside our own network gets nothing, and the reason is kept', async () => {
  await using receiver = await openReceiver(() => 200)
  await using service = await openService({ agentSlots: 1 })
  const ada = await newPerson(service.world, 'ada')
  await service.push('acme/web', { '.service/config.yml': config(receiver.url) }, ['main'], ada.token)
  const notice = await service.until(async () => (await noticesOf(service))[0])
  assert.deepEqual([notice.state, notice.attempts, receiver.received.length], ['dead', 0, 0])
  assert.match(notice.error ?? '', /^Cannot use the url/)
})
