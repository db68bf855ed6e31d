import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderFailure } from '#server/vcs/providers/call.ts'
import { addKey, removeKey } from '#server/vcs/providers/keys.ts'
import { openPulls } from '#server/vcs/providers/pulls.ts'
import { accessOf, repositoryOfUrl, sendStatus } from '#server/vcs/providers/repository.ts'
import { apiUrlOf } from '#server/vcs/providers/terms.ts'
import { openFake } from './fake-api.ts'

const web = { owner: 'acme', name: 'web' }
const revision = 'a'.repeat(40)
const status = {
  revision,
  context: 'ci/service: main',
  status: 'failure',
  description: 'It failed',
  url: 'https://ci/',
} as const
const key = { title: 'Roundhouse', publicKey: 'ssh-ed25519 AAAA' }

test('each provider is told of a commit in its own words', async () => {
  const told: Record<string, unknown> = {}
  for (const kind of ['github', 'gitea', 'bitbucket', 'gitlab'] as const) {
    await using fake = await openFake(kind)
    await sendStatus(fake.terms, 't0ken', kind === 'gitlab' ? { owner: 'acme/tools', name: 'web' } : web, status)
    await addKey(fake.terms, 't0ken', { repository: web }, key)
    told[kind] = fake.asked.map(({ line, body }) => [line, Object.values(body as object).join(' ')])
    assert.ok(fake.asked.every(({ authorization }) => authorization === 'Bearer t0ken'))
  }
  assert.deepEqual(told, {
    github: [
      [`POST /repos/acme/web/statuses/${revision}`, 'failure https://ci/ It failed ci/service: main'],
      ['POST /repos/acme/web/keys', 'Roundhouse ssh-ed25519 AAAA true'],
    ],
    gitea: [
      [`POST /repos/acme/web/statuses/${revision}`, 'failure https://ci/ It failed ci/service: main'],
      ['POST /repos/acme/web/keys', 'Roundhouse ssh-ed25519 AAAA true'],
    ],
    bitbucket: [
      [
        `POST /repositories/acme/web/commit/${revision}/statuses/build`,
        'ci/service: main FAILED ci/service: main https://ci/ It failed',
      ],
      ['POST /repositories/acme/web/deploy-keys', 'Roundhouse ssh-ed25519 AAAA'],
    ],
    gitlab: [
      [`POST /projects/acme%2Ftools%2Fweb/statuses/${revision}`, 'failed ci/service: main https://ci/ It failed'],
      ['POST /projects/acme%2Fweb/deploy_keys', 'Roundhouse ssh-ed25519 AAAA false'],
    ],
  })
})

test('what somebody may do is asked of the provider; what they cannot see is nothing to them', async () => {
  await using github = await openFake('github')
  github.will(
    'GET /repos/acme/web',
    { body: { permissions: { admin: false, push: true, pull: true } } },
    { status: 404 },
  )
  assert.equal(await accessOf(github.terms, 't', web), 'write')
  assert.equal(await accessOf(github.terms, 't', web), 'none')
  await using gitlab = await openFake('gitlab')
  const permissions = { project_access: null, group_access: { access_level: 40 } }
  gitlab.will('GET /projects/acme%2Fweb', { body: { permissions } })
  assert.equal(await accessOf(gitlab.terms, 't', web), 'admin')
  await using bitbucket = await openFake('bitbucket')
  const line = 'GET /user/permissions/repositories?q=repository.full_name%3D%22acme%2Fweb%22'
  bitbucket.will(line, { body: { values: [{ permission: 'read' }] } }, { body: { values: [] } })
  assert.equal(await accessOf(bitbucket.terms, 't', web), 'read')
  assert.equal(await accessOf(bitbucket.terms, 't', web), 'none')
})

test('lists are read to their end, and never on to somebody else', async () => {
  await using fake = await openFake('github')
  const first = '/repos/acme/web/pulls?state=open&per_page=100&head=acme%3Amend'
  const pull = (number: number, id = 1) => ({
    number,
    head: { ref: 'mend', repo: { id } },
    base: { ref: 'main', repo: { id: 1 } },
  })
  fake.will(`GET ${first}`, { body: [pull(1), pull(2, 7)], headers: { link: `<${fake.api}/next>; rel="next"` } })
  fake.will('GET /next', { body: [pull(3)] })
  const found = await openPulls(fake.terms, 't', web, 'mend')
  assert.deepEqual(
    found.map(({ number }) => number),
    [1, 3],
  )
  fake.will(`GET ${first}`, { body: [pull(1)], headers: { link: '<http://127.0.0.1:1/next>; rel="next"' } })
  await assert.rejects(openPulls(fake.terms, 't', web, 'mend'), /it is not the provider/)
})

test('a key of a user is added where its provider keeps such keys, known again where it is there already, and taken away', async () => {
  await using bitbucket = await openFake('bitbucket')
  const me = { body: { uuid: '{a1}' } }
  bitbucket.will('GET /user', me, me)
  bitbucket.will('POST /users/%7Ba1%7D/ssh-keys', { status: 201, body: { uuid: '{k1}' } })
  assert.equal(await addKey(bitbucket.terms, 't', 'user', key), '{k1}')
  bitbucket.will('DELETE /users/%7Ba1%7D/ssh-keys/%7Bk1%7D', { status: 204 })
  await removeKey(bitbucket.terms, 't', 'user', { id: '{k1}', publicKey: key.publicKey })
  await using github = await openFake('github')
  github.will('POST /user/keys', { status: 422, body: { message: 'key is already in use' } })
  const page = { link: `<${github.api}/more>; rel="next"` }
  github.will('GET /user/keys', { body: [{ id: 1, key: 'ssh-ed25519 BBBB' }], headers: page })
  github.will('GET /more', { body: [{ id: 2, key: 'ssh-ed25519 AAAA grace@desk' }] })
  assert.equal(await addKey(github.terms, 't', 'user', key), '2')
  // Gone already.
  await removeKey(github.terms, 't', { repository: web }, { id: '2', publicKey: key.publicKey })
  assert.equal(github.asked.at(-1)?.line, 'DELETE /repos/acme/web/keys/2')
  // Nobody noted what it is called: it is looked for by what it says, and one that is not there is as good as gone.
  github.will('GET /repos/acme/web/keys', { body: [{ id: 7, key: 'ssh-ed25519 AAAA' }] }, { body: [] })
  github.will('DELETE /repos/acme/web/keys/7', { status: 204 })
  for (let i = 0; i < 2; i++)
    await removeKey(github.terms, 't', { repository: web }, { id: null, publicKey: key.publicKey })
  assert.deepEqual(
    github.asked.slice(-3).map(({ line }) => line),
    ['GET /repos/acme/web/keys', 'DELETE /repos/acme/web/keys/7', 'GET /repos/acme/web/keys'],
  )
  github.will('POST /repos/acme/web/keys', { status: 422 })
  github.will('GET /repos/acme/web/keys', { body: [] })
  await assert.rejects(addKey(github.terms, 't', { repository: web }, key), { status: 422 })
})

test('a repository that was renamed is found where its provider sends us, and the token goes nowhere else', async () => {
  await using fake = await openFake('github')
  const to = (location: string) => ({ status: 301, headers: { location } })
  fake.will(
    'GET /repos/acme/web',
    to(`${fake.api}/repositories/7`),
    to('http://127.0.0.1:1/x'),
    to('/api/v3/repos/acme/web'),
  )
  fake.will('GET /repositories/7', { body: { permissions: { push: true } } })
  assert.equal(await accessOf(fake.terms, 't', web), 'write')
  await assert.rejects(accessOf(fake.terms, 't', web), /it is not the provider/)
  fake.will('GET /repos/acme/web', ...Array.from({ length: 9 }, () => to(`${fake.api}/repos/acme/web`)))
  await assert.rejects(accessOf(fake.terms, 't', web), { status: 301 })
})

test('a failure says whether, and when, it is worth asking again, and never the token', async () => {
  await using fake = await openFake('github')
  const line = `POST /repos/acme/web/statuses/${revision}`
  const soon = String(Math.floor(Date.now() / 1000) + 900)
  fake.will(
    line,
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': soon } },
    { status: 403 },
    { status: 502 },
    { status: 301, headers: { location: 'http://127.0.0.1:1/' } },
  )
  const failures: ProviderFailure[] = []
  for (let i = 0; i < 5; i++)
    await sendStatus(fake.terms, 'secret-token', web, status).catch((error: ProviderFailure) => failures.push(error))
  fake.state.isDown = true
  await sendStatus(fake.terms, 'secret-token', web, status).catch((error: ProviderFailure) => failures.push(error))
  assert.deepEqual(
    failures.map(({ status: code, isFinal, retryMs }) => [code, isFinal, retryMs === undefined ? 'unsaid' : 'said']),
    [
      [429, false, 'said'],
      [403, false, 'said'],
      [403, true, 'unsaid'],
      [502, false, 'unsaid'],
      // Sent on to somebody else.
      [undefined, false, 'unsaid'],
      [undefined, false, 'unsaid'],
    ],
  )
  assert.equal(failures[0]?.retryMs, 7000)
  for (const failure of failures) assert.doesNotMatch(`${failure.message}${failure.stack}`, /secret-token/)
})

test('where repositories and interfaces lie is told from their addresses', () => {
  assert.deepEqual(repositoryOfUrl('git@example.com:acme/tools/web.git'), { owner: 'acme/tools', name: 'web' })
  assert.deepEqual(repositoryOfUrl('https://example.com:8443/acme/web'), web)
  assert.equal(repositoryOfUrl('https://example.com/web'), undefined)
  assert.equal(apiUrlOf('github', 'https://github.com'), 'https://api.github.com')
  assert.equal(apiUrlOf('github', 'https://git.example.com'), 'https://git.example.com/api/v3')
  assert.equal(apiUrlOf('bitbucket', 'https://bitbucket.org'), 'https://api.bitbucket.org/2.0')
})
