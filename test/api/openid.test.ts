import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as session from '#contract/rh/session.ts'
import * as users from '#contract/rh/users.ts'
import { addressOf, type Answer, send } from './ask.ts'
import { openProvider } from './openid-provider.ts'
import { openService, type Service } from './service.ts'

const client = { id: 'roundhouse', secret: 'between us' }

async function open(createsUsers: boolean) {
  const provider = await openProvider(client)
  const openid = {
    issuer: provider.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    name: 'Acme',
    createsUsers,
  }
  const service = await openService({ terms: { openid } })
  return {
    provider,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

const cookies = ({ headers }: Answer) => (headers['set-cookie'] ?? []).map((set) => set.split(';')[0]).join('; ')
const get = (service: Service, path: string, cookie = '') =>
  send(service.connections, service.base, { method: 'GET', path, headers: { cookie } })

/** The way of a browser to the provider and back; gives the address it comes back to, and its cookie. */
async function there(service: Service) {
  const begun = await get(service, '/sign-in/openid')
  assert.equal(begun.status, 302)
  const answer = await fetch(begun.headers.location ?? '', { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  return { path: back.pathname + back.search, cookie: cookies(begun) }
}

async function signIn(service: Service): Promise<Answer> {
  const { path, cookie } = await there(service)
  return get(service, path, cookie)
}

const who = async (service: Service, answer: Answer): Promise<string> => {
  const found = await get(service, addressOf(session.getSession), cookies(answer))
  return (JSON.parse(found.text) as { readonly login: string }).login
}

test('whoever the provider lets in gets an account where that is wanted, and the same one the next time', async () => {
  await using it = await open(true)
  it.provider.claims = {
    sub: '1',
    preferred_username: 'Grace Hopper',
    name: 'Grace',
    email: 'g@x.org',
    email_verified: false,
  }
  const first = await signIn(it.service)
  assert.deepEqual([first.status, first.headers.location], [302, '/'])
  assert.equal(await who(it.service, first), 'Grace-Hopper')
  it.provider.claims = { sub: '1', preferred_username: 'renamed' }
  assert.equal(await who(it.service, await signIn(it.service)), 'Grace-Hopper')
  it.provider.claims = { sub: '2', preferred_username: 'Grace Hopper' }
  assert.equal(await who(it.service, await signIn(it.service)), 'Grace-Hopper-2')
  const ways = await it.service.call(session.getSignInWays, {})
  assert.deepEqual(ways, { password: true, openid: { name: 'Acme', path: '/sign-in/openid' } })
})

test('otherwise only who has an account comes in, found by an address that the provider has verified', async () => {
  await using it = await open(false)
  await it.service.call(users.createUser, { body: { login: 'grace', email: 'Grace@Example.com' } })
  it.provider.claims = { sub: '1', email: 'grace@example.com', email_verified: false }
  assert.equal((await signIn(it.service)).headers.location, '/sign-in?problem=forbidden')
  it.provider.claims = { sub: '1', email: 'grace@example.com', email_verified: true }
  assert.equal(await who(it.service, await signIn(it.service)), 'grace')
})

test('a way back that this browser did not begin, that was changed, or that comes too late leads nowhere', async () => {
  await using it = await open(true)
  const { service } = it
  const { path, cookie } = await there(service)
  assert.equal((await get(service, path)).headers.location, '/sign-in?problem=unauthenticated')
  assert.equal(
    (await get(service, path, 'roundhouse_openid=made-up')).headers.location,
    '/sign-in?problem=unauthenticated',
  )
  const forged = path.replace(/state=[^&]+/, 'state=other')
  assert.equal((await get(service, forged, cookie)).headers.location, '/sign-in?problem=provider')
  const late = await there(service)
  service.clock.aheadMs = 11 * 60 * 1000
  assert.equal((await get(service, late.path, late.cookie)).headers.location, '/sign-in?problem=unauthenticated')
  assert.deepEqual(await service.world.db.selectFrom('identities').selectAll().execute(), [])
})

test('a provider that does not answer is told to the person, and asked again the next time', async () => {
  await using it = await open(true)
  const { issuer } = it.provider
  it.provider.issuer = 'http://127.0.0.1:1'
  assert.equal((await get(it.service, '/sign-in/openid')).headers.location, '/sign-in?problem=provider')
  it.provider.issuer = issuer
  assert.equal((await get(it.service, '/sign-in/openid')).headers.location?.startsWith(issuer), true)
})
