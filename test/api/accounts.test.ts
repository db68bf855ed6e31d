import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as organizations from '#contract/rh/organizations.ts'
import * as session from '#contract/rh/session.ts'
import * as users from '#contract/rh/users.ts'
import { createVariable } from '#contract/v2/variable.ts'
import { createProjectToken } from '#contract/v1/tokens.ts'
import { databases } from '#test/world.ts'
import { addressOf, type Answer, messageOf } from './ask.ts'
import { named, openFarm, slug } from './farm.ts'
import { openService, type Service } from './service.ts'

const json = { 'content-type': 'application/json' }
const proof = { 'x-requested-with': 'roundhouse' }

const post = (service: Service, path: string, body: unknown, headers = {}): Promise<Answer> =>
  service.ask({ method: 'POST', path, headers: { ...json, ...headers }, body: JSON.stringify(body) })

const cookieOf = (answer: Answer): string => answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''

const withPassword = (service: Service, login: string, password: string) =>
  post(service, addressOf(session.signInWithPassword), { login, password })

for (const database of databases)
  describe(`people on ${database}`, () => {
    test('are made by an administrator, come in by a link that works once, and by their password from then on', async () => {
      await using service = await openService({ database })
      const { user, sign_in_url } = await service.call(users.createUser, {
        body: { login: 'Grace', name: 'Grace H.', email: 'grace@example.com' },
      })
      assert.deepEqual([user.login, user.admin, user.email], ['Grace', false, 'grace@example.com'])
      assert.ok(sign_in_url.startsWith(`${service.base}/sign-in#key=rhl_`))
      const key = sign_in_url.split('key=')[1]
      const first = await post(service, addressOf(session.signIn), { key })
      assert.equal(first.status, 200)
      const cookie = cookieOf(first)
      const put = (body: unknown, headers: object) =>
        service.ask({
          method: 'PUT',
          path: addressOf(users.setPassword),
          headers: { ...json, ...headers },
          body: JSON.stringify(body),
        })
      const browser = { cookie, ...proof }
      assert.equal((await put({ password: 'too short' }, browser)).status, 400)
      assert.equal((await put({ password: 'correct horse battery' }, browser)).status, 200)
      assert.equal((await put({ password: 'another one, longer' }, browser)).status, 403)
      assert.equal((await withPassword(service, 'grace', 'wrong horse battery')).status, 401)
      const second = await withPassword(service, 'grace', 'correct horse battery')
      assert.equal(second.status, 200)
      const list = await service.ask({ method: 'GET', path: addressOf(users.listSessions), headers: browser })
      const { items } = JSON.parse(list.text) as { items: users.OpenSession[] }
      assert.deepEqual(items.map(({ current }) => current).toSorted(), [false, true])
      const changed = await put({ password: 'another one, longer', current: 'correct horse battery' }, browser)
      assert.equal(changed.status, 200)
      const other = { cookie: cookieOf(second) }
      assert.equal(
        (await service.ask({ method: 'GET', path: addressOf(session.getSession), headers: other })).status,
        401,
        'other browsers are signed out when the password changes',
      )
      const { rows } = await listStored(service)
      assert.doesNotMatch(rows, /horse|another one/)
    })

    test('lose everything at once when an administrator says so, and the last administrator stays one', async () => {
      await using service = await openService({ database })
      const { ada } = await openFarm(service)
      await service.call(users.setPassword, { body: { password: 'correct horse battery' } }, ada.token)
      await service.call(users.revokeAccess, { params: { id: ada.id } })
      assert.equal((await service.ask({ method: 'GET', path: '/api/v2/me', token: ada.token })).status, 401)
      assert.equal((await withPassword(service, 'ada', 'correct horse battery')).status, 401)
      const demote = await service.ask({
        method: 'PATCH',
        path: addressOf(users.updateUser, { id: service.admin.id }),
        token: service.admin.token,
        headers: json,
        body: '{"admin":false}',
      })
      assert.equal(demote.status, 409)
      const made = await service.call(users.updateUser, {
        params: { id: ada.id },
        body: { admin: true, name: 'Ada L.' },
      })
      assert.deepEqual([made.admin, made.name], [true, 'Ada L.'])
      const twice = await post(
        service,
        addressOf(users.createUser),
        { login: 'ADA' },
        { 'service-token': service.admin.token },
      )
      assert.equal(twice.status, 409)
    })

    test('belong to organizations as owner, member or viewer, and somebody always owns one', async () => {
      await using service = await openService({ database })
      const { ada, member, viewer, stranger, project } = await openFarm(service)
      const organization = { organization_id: project.organization_id }
      const roles = async () =>
        (await service.call(organizations.listMembers, { params: organization, query: {} }, viewer.token)).items
          .map(({ login, role }) => `${login} ${role}`)
          .toSorted()
      assert.deepEqual(await roles(), ['ada owner', 'max member', 'vera viewer'])
      const set = (login: string, role: 'owner' | 'member' | 'viewer', token = ada.token) =>
        service.call(organizations.setMember, { params: { ...organization, login }, body: { role } }, token)
      await set('sam', 'viewer')
      await set('MAX', 'owner')
      await service.call(organizations.removeMember, { params: { ...organization, login: 'ada' } }, member.token)
      assert.deepEqual(await roles(), ['max owner', 'sam viewer', 'vera viewer'])
      const leave = async (login: string, token: string) => {
        const path = addressOf(organizations.removeMember, { ...organization, login })
        return (await service.ask({ method: 'DELETE', path, token })).status
      }
      assert.equal(await leave('max', member.token), 409, 'the last owner cannot leave')
      assert.equal(await leave('vera', stranger.token), 403, 'a viewer takes nobody out')
      assert.equal(await leave('sam', stranger.token), 200, 'everybody may leave')
      assert.equal(await leave('max', ada.token), 404)
      const invited = await service.call(
        organizations.inviteMember,
        { params: organization, body: { login: 'newcomer', role: 'member' } },
        member.token,
      )
      assert.deepEqual([invited.member.login, invited.member.role], ['newcomer', 'member'])
      const again = await post(
        service,
        addressOf(organizations.inviteMember, organization),
        { login: 'newcomer', role: 'owner' },
        { 'service-token': member.token },
      )
      assert.equal(again.status, 409, 'nobody gets a link to the account of somebody else')
    })

    test('make organizations, and see those they belong to page by page', async () => {
      await using service = await openService({ database })
      const { ada } = await openFarm(service)
      for (let i = 0; i < 21; i++)
        await service.call(organizations.createOrganization, { body: { name: `team-${i}` } }, ada.token)
      const first = await service.call(organizations.listOrganizations, { query: {} }, ada.token)
      assert.equal(first.items.length, 20)
      const second = await service.call(
        organizations.listOrganizations,
        { query: { 'page-token': first.next_page_token ?? '' } },
        ada.token,
      )
      assert.deepEqual(
        second.items.map(({ name, role, slug: text }) => [name, role, text]),
        [
          ['team-19', 'owner', 'provider-a/team-19'],
          ['team-20', 'owner', 'provider-a/team-20'],
        ],
      )
      const all = await service.call(organizations.listOrganizations, { query: {} })
      assert.deepEqual([...new Set(all.items.map(({ role }) => role))], [null])
      const bad = await post(
        service,
        addressOf(organizations.createOrganization),
        { name: '../x' },
        { 'service-token': ada.token },
      )
      assert.equal(bad.status, 400)
    })

    test('leave a record of what they changed, for owners to read, without a secret in it', async () => {
      await using service = await openService({ database })
      const { ada, member, project } = await openFarm(service)
      await service.call(createVariable, { params: slug, body: { name: 'KEY', value: 'hunter2hunter2' } }, member.token)
      const { token } = await service.call(
        createProjectToken,
        { params: named, body: { label: 'ours', scope: 'status' } },
        ada.token,
      )
      await service.ask({
        method: 'DELETE',
        path: `/api/v1.1/project/gh/acme/web/token/${token}`,
        token: ada.token,
      })
      const { items } = await service.call(
        organizations.listAudit,
        { params: { organization_id: project.organization_id }, query: {} },
        ada.token,
      )
      assert.deepEqual(
        items.slice(0, 3).map(({ actor, action, target, address }) => [actor, action, target, address]),
        [
          ['ada', 'v1 deleteProjectToken', 'gh acme web', '127.0.0.1'],
          ['ada', 'v1 createProjectToken', 'provider-a acme web label=ours scope=status', '127.0.0.1'],
          ['max', 'v2 createVariable', 'provider-a acme web name=KEY', '127.0.0.1'],
        ],
      )
      assert.ok(!JSON.stringify(items).includes('hunter2') && !JSON.stringify(items).includes(token))
      const everything = await service.call(organizations.listAllAudit, { query: {} })
      assert.ok(everything.items.length >= items.length)
      const found = async (query: { actor?: string; q?: string; until?: string }) =>
        (await service.call(organizations.listAllAudit, { query })).items.map(({ actor, action }) => [actor, action])
      assert.deepEqual(await found({ actor: 'MAX', q: 'key variable' }), [['max', 'v2 createVariable']])
      assert.deepEqual(await found({ actor: 'max', q: 'token' }), [])
      assert.deepEqual(await found({ until: '2000-01-01T00:00:00.000Z' }), [])
    })
  })

test('passwords can be tried ten times in a row, and then again after a while', async () => {
  await using service = await openService()
  await service.call(users.setPassword, { body: { password: 'correct horse battery' } })
  for (let i = 0; i < 10; i++) assert.equal((await withPassword(service, 'admin', 'guess')).status, 401)
  const late = await withPassword(service, 'ADMIN', 'correct horse battery')
  assert.equal(late.status, 429)
  assert.ok(Number(late.headers['retry-after']) > 0, messageOf(late))
  assert.equal((await withPassword(service, 'other', 'guess')).status, 401)
  service.clock.aheadMs = 61_000
  assert.equal((await withPassword(service, 'admin', 'correct horse battery')).status, 200)
})

async function listStored({ world }: Service) {
  const rows = [
    await world.db.selectFrom('passwords').selectAll().execute(),
    await world.db.selectFrom('audit').selectAll().execute(),
  ]
  return { rows: JSON.stringify(rows) }
}
