import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentProtocol } from '#contract/agent.ts'
import { finishJob } from '#contract/agent/report.ts'
import { uuidv7 } from '#kit/uuid.ts'
import { createAgentToken, deleteAgentToken, listAgents } from '#contract/rh/agents.ts'
import { getSession, signIn as signInContract } from '#contract/rh/session.ts'
import { newSignInKey } from '#server/app/people.ts'
import { userById } from '#server/store/people.ts'
import { addressOf } from './ask.ts'
import { openFarm } from './farm.ts'
import { newPerson } from './people.ts'
import { openService, type Service } from './service.ts'

const session = addressOf(getSession)
const proof = { 'x-requested-with': 'roundhouse' }

async function keyFor(service: Service, id: string): Promise<string> {
  const user = await userById(service.world.db, { id })
  if (!user) throw new Error(`Cannot find user ${id}`)
  return newSignInKey(service.world, user)
}

const signIn = (service: Service, key: string) =>
  service.ask({
    method: 'POST',
    path: addressOf(signInContract),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })

test('a key signs a browser in once, and signing out ends it', async () => {
  await using service = await openService()
  const ada = await newPerson(service.world, 'ada')
  const key = await keyFor(service, ada.id)
  const answer = await signIn(service, key)
  assert.equal(answer.status, 200)
  const [set = ''] = answer.headers['set-cookie'] ?? []
  assert.match(set, /^roundhouse_session=rhs_[\w-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
  const cookie = set.split(';')[0] ?? ''
  assert.equal((await service.ask({ method: 'GET', path: session, headers: { cookie } })).status, 200)
  assert.equal((await signIn(service, key)).status, 401)
  assert.equal((await service.ask({ method: 'DELETE', path: session, headers: { cookie } })).status, 403)
  const out = await service.ask({ method: 'DELETE', path: session, headers: { cookie, ...proof } })
  assert.match(out.headers['set-cookie']?.[0] ?? '', /^roundhouse_session=; Max-Age=0;/)
  assert.equal((await service.ask({ method: 'GET', path: session, headers: { cookie } })).status, 401)
})

test('two browsers with one key: one of them is signed in', async () => {
  await using service = await openService()
  const key = await keyFor(service, service.admin.id)
  const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(service, key)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401, 401])
})

test('a key is good for a day, a session for thirty, and a sign-in key is no token', async () => {
  await using service = await openService()
  const [used, late] = [await keyFor(service, service.admin.id), await keyFor(service, service.admin.id)]
  assert.equal((await service.ask({ method: 'GET', path: session, token: used })).status, 401)
  const cookie = (await signIn(service, used)).headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  service.clock.aheadMs = 24.5 * 3600 * 1000
  assert.equal((await signIn(service, late)).status, 401)
  service.app.callers.forget()
  assert.equal((await service.ask({ method: 'GET', path: session, headers: { cookie } })).status, 200)
  service.clock.aheadMs = 30.1 * 24 * 3600 * 1000
  service.app.callers.forget()
  assert.equal((await service.ask({ method: 'GET', path: session, headers: { cookie } })).status, 401)
})

test('a session cookie opens no repository, as a browser sends it unasked', async () => {
  await using service = await openService()
  const farm = await openFarm(service)
  const cookie =
    (await signIn(service, await keyFor(service, farm.ada.id))).headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const path = '/git/acme/web.git/info/refs?service=git-upload-pack'
  assert.equal((await service.ask({ method: 'GET', path, headers: { cookie, ...proof } })).status, 401)
})

test('an agent whose protocol the server does not speak is refused, and told which of the two is too old', async () => {
  await using service = await openService()
  const made = await service.call(createAgentToken, { body: { name: 'new' } })
  const register = async (protocol: number) => {
    const body = { instance: uuidv7(), name: 'new', version: '9', slots: 1, resource_classes: [], protocol }
    const answer = await service.ask({
      method: 'POST',
      path: '/api/rh/v1/agent/register',
      token: made.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return [answer.status, answer.text]
  }
  assert.equal((await register(agentProtocol))[0], 200)
  const [status, text] = await register(agentProtocol + 1)
  assert.equal(status, 409)
  assert.match(String(text), /the server is too old for the agent, update the server/)
  assert.match(String((await register(agentProtocol - 1))[1]), /the agent is too old for the server, update the agent/)
})

test('the token of an agent that is deleted opens nothing any more, and neither does that of a job that ended', async () => {
  await using service = await openService()
  const farm = await openFarm(service)
  const made = await service.call(createAgentToken, { body: { name: 'new' } })
  const claim = {
    method: 'POST',
    path: '/api/rh/v1/agent/claim',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ instance: farm.instance, free: 1 }),
  }
  assert.equal((await service.ask({ ...claim, token: made.token })).status, 409)
  const { items } = await service.call(listAgents, { query: {} })
  assert.deepEqual(items.map(({ name }) => name).toSorted(), ['farmhand', 'new'])
  assert.doesNotMatch(JSON.stringify(items), /rha_/)
  await service.call(deleteAgentToken, { params: { id: made.id } })
  assert.equal((await service.ask({ ...claim, token: made.token })).status, 401)
  const end = { params: { id: farm.job.id }, body: { outcome: 'failed' as const, reason: null, steps: [] } }
  await service.call(finishJob, end, farm.job.token)
  const again = await service.ask({
    method: 'GET',
    path: '/git/acme/web.git/info/refs?service=git-upload-pack',
    token: farm.job.token,
  })
  assert.equal(again.status, 401)
})
