import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as session from '#contract/rh/session.ts'
import { type ProviderKind, publicProviders } from '#server/vcs/providers/terms.ts'
import { addressOf, type Answer, send } from '#test/api/ask.ts'
import { openService, type Service } from '#test/api/service.ts'
import { openSignIn } from './fake-sign-in.ts'

const cookies = ({ headers }: Answer) => (headers['set-cookie'] ?? []).map((set) => set.split(';')[0]).join('; ')
const get = (service: Service, path: string, cookie = '') =>
  send(service.connections, service.base, { method: 'GET', path, headers: { cookie } })

/** The way of a browser to the provider and back; gives the address it comes back to, and its cookie. */
async function there(service: Service, code: string, query = '') {
  const begun = await get(service, `/sign-in/${code}${query}`)
  const answer = await fetch(begun.headers.location ?? '', { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  return { path: back.pathname + back.search, cookie: cookies(begun) }
}

const people: readonly (readonly [
  ProviderKind,
  string,
  Record<string, unknown>,
  readonly unknown[],
  string,
  string | null,
])[] = [
  [
    'github',
    'provider-a',
    { id: 5, login: 'grace', name: 'Grace' },
    [{ email: 'g@x.org', primary: true, verified: true }],
    '5',
    'g@x.org',
  ],
  [
    'gitea',
    'provider-a',
    { id: 6, login: 'grace', full_name: '' },
    [{ email: 'g@x.org', primary: true, verified: false }],
    '6',
    null,
  ],
  [
    'bitbucket',
    'provider-b',
    { uuid: '{a}', nickname: 'grace' },
    [{ email: 'g@x.org', is_primary: true, is_confirmed: true }],
    '{a}',
    'g@x.org',
  ],
  [
    'gitlab',
    'provider-c',
    { id: 7, username: 'grace', email: 'g@x.org', confirmed_at: '2026-01-01T00:00:00Z' },
    [],
    '7',
    'g@x.org',
  ],
]

for (const [kind, code, me, emails, subject, email] of people) {
  test(`whoever ${kind} lets in is known again by what does not change there, and by an address only where that is verified`, async () => {
    await using fake = await openSignIn(kind, me, emails)
    const terms = { providers: { ...publicProviders, [code]: fake.terms }, providersCreateUsers: true }
    await using service = await openService({ terms })
    for (let i = 0; i < 2; i++) {
      const { path, cookie } = await there(service, code)
      const answer = await get(service, path, cookie)
      assert.deepEqual([answer.status, answer.headers.location], [302, '/'])
      const who = await get(service, addressOf(session.getSession), cookies(answer))
      assert.equal((JSON.parse(who.text) as { readonly login: string }).login, 'grace')
    }
    const known = await service.world.db.selectFrom('identities').selectAll().execute()
    assert.deepEqual(
      known.map((row) => [row.issuer, row.subject]),
      [[fake.url, subject]],
    )
    const user = await service.world.db
      .selectFrom('users')
      .select('email')
      .where('key', '=', 'grace')
      .executeTakeFirst()
    assert.equal(user?.email, email)
    const ways = await service.call(session.getSignInWays, {})
    assert.deepEqual(ways.providers, [{ name: code, path: `/sign-in/${code}` }])
  })
}

test('a way back that this browser did not begin, that was changed, or is of another provider leads nowhere', async () => {
  await using fake = await openSignIn('github', { id: 5, login: 'grace' })
  const other = { ...fake.terms }
  const providers = { ...publicProviders, 'provider-a': fake.terms, 'provider-c': other }
  await using service = await openService({ terms: { providers, providersCreateUsers: true } })
  const { path, cookie } = await there(service, 'provider-a')
  const nowhere = '/sign-in?problem=unauthenticated'
  assert.equal((await get(service, path)).headers.location, nowhere)
  assert.equal((await get(service, path.replace(/state=[^&]+/, 'state=x'), cookie)).headers.location, nowhere)
  const swapped = [path.replace('provider-a', 'provider-c'), cookie.replace('provider-a', 'provider-c')] as const
  assert.equal((await get(service, ...swapped)).headers.location, nowhere)
  assert.equal(
    (await get(service, path.replace(/code=\d+/, 'code=99'), cookie)).headers.location,
    '/sign-in?problem=provider',
  )
  assert.deepEqual(await service.world.db.selectFrom('identities').selectAll().execute(), [])
})

test('without an account here nobody comes in, where accounts are not made', async () => {
  await using fake = await openSignIn('github', { id: 5, login: 'grace' })
  await using service = await openService({ terms: { providers: { ...publicProviders, 'provider-a': fake.terms } } })
  const { path, cookie } = await there(service, 'provider-a')
  assert.equal((await get(service, path, cookie)).headers.location, '/sign-in?problem=forbidden')
  assert.equal((await get(service, '/sign-in/provider-b')).status === 302, false)
})

test('whoever signed in at a provider comes to the page that was asked for, if it is one of ours; who was not let in can still go there', async () => {
  await using fake = await openSignIn('github', { id: 5, login: 'grace' })
  const terms = { providers: { ...publicProviders, 'provider-a': fake.terms }, providersCreateUsers: true }
  await using service = await openService({ terms })
  const brought = async (next: string) => {
    const { path, cookie } = await there(service, 'provider-a', `?${new URLSearchParams({ next }).toString()}`)
    return (await get(service, path, cookie)).headers.location
  }
  assert.equal(await brought('/pipelines/gh/acme/web?branch=x#s1'), '/pipelines/gh/acme/web?branch=x#s1')
  for (const elsewhere of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/.//evil.example',
  ])
    assert.equal(await brought(elsewhere), '/', elsewhere)
  assert.equal(await brought('/x\r\nset-cookie: a=b'), '/xset-cookie:%20a=b')
  const twice = await there(service, 'provider-a', '?next=/a&next=/b')
  assert.equal((await get(service, twice.path, twice.cookie)).headers.location, '/')
  const { path, cookie } = await there(service, 'provider-a', '?next=/user')
  const answer = await get(service, path.replace(/state=[^&]+/, 'state=x'), cookie)
  assert.equal(answer.headers.location, '/sign-in?problem=unauthenticated&next=%2Fuser')
})
