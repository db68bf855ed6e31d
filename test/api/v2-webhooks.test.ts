import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from '#contract/v2/webhook.ts'
import { messageOf, valueOf } from './ask.ts'
import { type Farm, openFarm } from './farm.ts'
import { openService, type Service } from './service.ts'

describe('webhooks', () => {
  let service: Service
  let farm: Farm
  before(async () => {
    service = await openService({ terms: { webhookHosts: ['hooks.test:8443'] } })
    farm = await openFarm(service)
    await service.rest()
  })
  after(() => service[Symbol.asyncDispose]())

  const form = (more: object = {}) => ({
    name: 'hook',
    url: 'https://example.com/hook',
    events: ['job-completed' as const],
    'verify-tls': true,
    'signing-secret': 'the secret',
    scope: { id: farm.project.id, type: 'project' as const },
    ...more,
  })
  const list = async () =>
    (
      await service.call(
        listWebhooks,
        { query: { 'scope-id': farm.project.id, 'scope-type': 'project' } },
        farm.ada.token,
      )
    ).items
  const send = (method: string, path: string, body: object) =>
    service.ask({
      method,
      path,
      token: farm.ada.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const create = (more: object) => send('POST', '/api/v2/webhook', form(more))
  const removeAll = async () => {
    for (const { id } of await list())
      assert.deepEqual(await service.call(deleteWebhook, { params: { webhook_id: id } }, farm.ada.token), {
        message: 'ok',
      })
  }

  test('are made, read, changed in part and deleted, in both spellings, and never show their secret', async () => {
    const made = await service.call(createWebhook, { body: form() }, farm.ada.token)
    assert.deepEqual(
      [made['signing-secret'], made.signing_secret, made['verify-tls'], made.verify_tls],
      ['****', '****', true, true],
    )
    assert.equal(made['created-at'], made.created_at)
    assert.deepEqual(await service.call(getWebhook, { params: { webhook_id: made.id } }, farm.ada.token), made)
    const params = { webhook_id: made.id }
    const changed = await service.call(
      updateWebhook,
      { params, body: { name: 'other', verify_tls: false } },
      farm.ada.token,
    )
    assert.deepEqual(
      [changed.name, changed['verify-tls'], changed.url, changed.events],
      ['other', false, made.url, made.events],
    )
    assert.deepEqual(await list(), [changed])
    // Sent back as it was read, it keeps its secret: what was read in its place is none.
    const { id: _, scope: __, ...whole } = changed
    await service.call(updateWebhook, { params, body: whole }, farm.ada.token)
    const snake = await create({
      name: 'snake',
      'verify-tls': undefined,
      'signing-secret': undefined,
      verify_tls: false,
      signing_secret: 'x',
    })
    assert.equal(snake.status, 201)
    assert.doesNotMatch(JSON.stringify(await list()), /the secret/)
    const { secret } = await service.world.db
      .selectFrom('webhooks')
      .select('secret')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    assert.doesNotMatch(secret, /the secret/)
    assert.equal(service.world.seal.open(secret), 'the secret')
    await removeAll()
    assert.equal(
      (await service.ask({ method: 'GET', path: `/api/v2/webhook/${made.id}`, token: farm.ada.token })).text,
      '{"message":"Webhook not found."}',
    )
  })

  test('are five at most in a project', async () => {
    for (let count = 0; count < 5; count += 1) assert.equal((await create({ name: `hook ${count}` })).status, 201)
    const sixth = await create({})
    assert.equal(sixth.status, 400)
    assert.match(messageOf(sixth), /at most 5: it has 5/)
    await removeAll()
  })

  test('made at the same moment are five at most too', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create({})))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [201, 201, 201, 201, 201, 400, 400, 400, 400, 400, 400, 400],
    )
    assert.equal((await list()).length, 5)
    await removeAll()
  })

  test('lead by https, and never into our own network, when made and when changed', async () => {
    const bad = [
      'http://example.com/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'example.com',
      '//example.com',
      'https://',
      'https://user:password@example.com/',
      'https://localhost/',
      'https://LOCALHOST./',
      'https://service.internal/',
      'https://printer.local/',
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://0177.0.0.1/',
      'https://0.0.0.0/',
      'https://10.1.2.3/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1/',
      'https://[::1]/',
      'https://[::]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[fe80::1]/',
      'https://[fd00::1]/',
      'https://[64:ff9b::7f00:1]/',
      'http://hooks.test/',
      'https://１２７.0.0.1/',
    ]
    const { id } = valueOf(await create({})) as { readonly id: string }
    for (const url of bad) {
      const answers = [await create({ url }), await send('PUT', `/api/v2/webhook/${id}`, { url })]
      for (const answer of answers) {
        assert.equal(answer.status, 400, `${url} answered ${answer.status}`)
        assert.match(messageOf(answer), /^Cannot use the url/)
      }
    }
    assert.deepEqual(
      (await list()).map(({ url }) => url),
      ['https://example.com/hook'],
    )
    for (const url of [
      'https://1.1.1.1/',
      'https://[2606:4700::1111]/x',
      'http://hooks.test:8443/',
      'https://example.com:8443/a?b=c',
    ]) {
      assert.equal((await send('PUT', `/api/v2/webhook/${id}`, { url })).status, 200, url)
    }
    await removeAll()
  })

  test('need a name, an event that exists, a secret and a project that the caller may configure', async () => {
    const wrong = [
      { name: '' },
      { events: [] },
      { events: ['ping'] },
      { events: 'job-completed' },
      { 'signing-secret': undefined },
      { 'verify-tls': undefined },
      { scope: { id: farm.project.id, type: 'organization' } },
      { scope: { id: 'x', type: 'project' } },
    ]
    for (const more of wrong) assert.equal((await create(more)).status, 400, JSON.stringify(more))
    assert.equal((await create({ scope: { id: farm.workflow.id, type: 'project' } })).status, 404)
    assert.deepEqual(await list(), [])
    for (const query of ['', `?scope-id=${farm.project.id}`, `?scope-id=${farm.project.id}&scope-type=organization`]) {
      assert.equal(
        (await service.ask({ method: 'GET', path: `/api/v2/webhook${query}`, token: farm.ada.token })).status,
        400,
        query,
      )
    }
  })
})
