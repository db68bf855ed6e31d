import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as session from '#contract/rh/session.ts'
import { policy } from '#server/api/web.ts'
import { hashPassword } from '#server/app/passwords.ts'
import { addressOf, type Answer, send } from './ask.ts'
import { newPerson } from './people.ts'
import { openService, type Service } from './service.ts'

/*
 * What was done to others in ways that no operation of ours is tested for by itself: see docs/security.md.
 */

const get = (service: Service, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(service.connections, service.base, { method: 'GET', path, headers: { accept: 'application/json', ...headers } })

const closed = ['/api/v2/me', '/api/v1.1/me', '/api/rh/v1/users', '/api/rh/v1/agents'] as const

/** Ways of writing an address that others took for an open one, or for another one than they checked. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => `${path};.jsp`,
  (path) => `${path};a=b`,
  (path) => `${path}/.`,
  (path) => `${path}/..;/x`,
  (path) => `${path}.`,
  (path) => `${path}%20`,
  (path) => `${path}%00`,
  (path) => `${path}/`,
  (path) => `${path}?x=.js`,
  (path) => `${path}?jsp=/healthz;.jsp`,
  (path) => `${path}%23.css`,
  (path) => `/${path}`,
  (path) => `//${path}`,
  (path) => `/./${path.slice(1)}`,
  (path) => `/healthz/..${path}`,
  (path) => `/healthz/%2e%2e${path}`,
  (path) => `/healthz/..%2f${path.slice(1)}`,
  (path) => `/assets/../${path.slice(1)}`,
  (path) => `/docs/api/..;${path}`,
  (path) => path.replace('/api', '/API'),
  (path) => path.replace('/api', '/%61pi'),
  (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
  (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  (path) => path.replace('/v', '/x/../v'),
]

test('no other spelling of an address opens what its own does not', async () => {
  await using service = await openService()
  for (const path of closed) {
    assert.equal((await get(service, path)).status, 401, path)
    for (const spell of spellings) {
      const { status, text } = await get(service, spell(path))
      assert.ok([400, 401, 404].includes(status), `${spell(path)} is answered ${status}: ${text.slice(0, 200)}`)
    }
  }
})

test('a wrong password and an unknown login are told alike', async () => {
  await using service = await openService()
  const { world } = service
  const { id } = await newPerson(world, 'grace')
  const hash = await hashPassword('right-password-1')
  await world.db.insertInto('passwords').values({ user_id: id, hash, updated_at: world.now() }).execute()
  const tried = async (login: string, password: string) => {
    const question = { method: 'POST', path: addressOf(session.signInWithPassword) }
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ login, password })
    const { status, text } = await send(service.connections, service.base, { ...question, headers, body })
    return [status, text]
  }
  assert.equal((await tried('grace', 'right-password-1'))[0], 200)
  const wrong = await tried('grace', 'wrong-password-1')
  assert.equal(wrong[0], 401)
  assert.deepEqual(await tried('nobody', 'wrong-password-1'), wrong)
})

test('no page of ours stands in a frame of another', async () => {
  assert.match(policy, /frame-ancestors 'none'/)
  await using service = await openService()
  const { headers } = await get(service, '/docs/api')
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
})

test('headers that only a proxy may set change nothing', async () => {
  await using service = await openService()
  const { admin } = service
  const claims = {
    'x-webauth-user': 'admin',
    'x-forwarded-user': 'admin',
    'x-remote-user': 'admin',
    'remote-user': 'admin',
    'x-original-url': '/healthz',
    'x-rewrite-url': '/healthz',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '127.0.0.1',
    'x-http-method-override': 'DELETE',
  }
  for (const path of closed) assert.equal((await get(service, path, claims)).status, 401, path)
  const mine = await get(service, '/api/v2/me', { 'service-token': admin.token })
  const claimed = await get(service, '/api/v2/me', { 'service-token': admin.token, ...claims })
  assert.deepEqual([claimed.status, claimed.text], [mine.status, mine.text])
  assert.ok(!JSON.stringify(claimed.headers).includes('evil.example'))
})
