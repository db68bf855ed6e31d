import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageOf } from './ask.ts'
import { newPerson } from './people.ts'
import { openService } from './service.ts'

test('whoever asks too often for one kind of resource is told to wait, and nobody else is', async () => {
  await using service = await openService({ terms: { rate: { perSecond: 0.0001, burst: 4 } } })
  const other = await newPerson(service.world, 'other')
  const ask = (path: string, token = service.admin.token) => service.ask({ method: 'GET', path, token })
  assert.equal((await ask('/api/v2/me')).headers['ratelimit-limit'], undefined, 'there is plenty')
  assert.equal((await ask('/api/v2/me')).status, 200)
  const first = await ask('/api/v2/me')
  assert.deepEqual(
    [first.status, first.headers['ratelimit-limit'], first.headers['ratelimit-remaining']],
    [200, '4', '1'],
  )
  assert.ok(Number(first.headers['ratelimit-reset']) > 0)
  assert.equal((await ask('/api/v2/me/collaborations')).status, 200)
  const refused = await ask('/api/v2/me')
  assert.equal(refused.status, 429)
  assert.equal(messageOf(refused), 'Rate limit exceeded.')
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  assert.equal(refused.headers['ratelimit-remaining'], '0')
  assert.equal((await ask('/api/v2/pipeline')).status, 200, 'another resource')
  assert.equal((await ask('/api/v2/me', other.token)).status, 200, 'another user')
  assert.equal((await service.ask({ method: 'GET', path: '/api/v2/openapi.json' })).status, 200, 'nobody, by address')
})

test('without a limit nothing is counted', async () => {
  await using service = await openService()
  const { headers } = await service.ask({ method: 'GET', path: '/api/v2/me', token: service.admin.token })
  assert.equal(headers['ratelimit-limit'], undefined)
})
