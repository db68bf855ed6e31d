import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setConnection } from '#contract/rh/connection.ts'
import type { Terms } from '#server/app/world.ts'
import { watch } from '#test/scenarios/watch.ts'
import { type House, openHouse } from './house.ts'
import { hooksOf } from './push-hooks.ts'

/* Jobs of repositories that open over https only to the token that the project has for its provider. */

const config = `version: 2.1
jobs:
  build:
    machine: true
    steps:
      - checkout: { path: full }
      - checkout: { path: blobless, method: blobless }
      - checkout: { path: shallow, method: shallow, depth: 1 }
      - run: { name: read, command: "cat */words; cd full && git fetch origin && git ls-remote origin refs/heads/main; git -C ../blobless show main:words" }
      - run: { name: look, command: "cd full && git config remote.origin.url; git remote get-url --push origin; cat .git/config ~/.gitconfig ~/.git-job-credential || :; env" }
      - run: { name: list, command: "ls ~/.gitconfig; grep -c insteadOf ~/.gitconfig || :" }
workflows: { main: { jobs: [build] } }
`

const access = {
  'provider-a': ['x-access-token:own-token', 'GET /repos/acme/web', { permissions: { pull: true } }],
  'provider-b': [
    'x-token-auth:own-token',
    'GET /user/permissions/repositories?q=repository.full_name%3D%22acme%2Fweb%22',
    { values: [{ permission: 'write' }] },
  ],
  'provider-c': [
    'oauth2:own-token',
    'GET /projects/acme%2Fweb',
    { permissions: { project_access: { access_level: 40 } } },
  ],
} as const
type Name = keyof typeof access

async function connect(house: House, provider: Name, isPrivate: boolean): Promise<void> {
  const [password, line, body] = access[provider]
  house.fake.will(line, { body })
  if (isPrivate) house.folder.state.password = password
  await house.service.call(setConnection, { params: house.slug, body: { token: 'own-token' } })
}

/** Pushes a commit at the provider and gives the logs of the job that is made of it, by the names of its steps. */
async function build(house: House, provider: Name, hides?: (house: House) => Promise<unknown>) {
  const revision = await house.clone.commit('Say so', { words: 'of a private repository\n' })
  await house.push('main')
  const [event, text] = hooksOf(provider, [{ ref: 'refs/heads/main', to: revision }])[0]!
  assert.equal(await house.tell(event, text), 'done: pipelines 1')
  await hides?.(house)
  const { db } = house.service.world
  const ended = await house.service.until(async () => {
    const found = await db.selectFrom('workflows').select(['id', 'status']).executeTakeFirst()
    return found && !['running', 'failing'].includes(found.status) ? found : undefined
  }, 300_000)
  const eyes = watch(house.service, 'web', house.service.admin.token)
  const [job] = await eyes.jobsOf(ended.id)
  const said = (step: string) => eyes.logOf(job?.id ?? '', step)
  return { revision, said, status: ended.status }
}

const cases: readonly (readonly [Name, Partial<Terms>, string])[] = [
  ['provider-a', {}, ''],
  ['provider-b', {}, ''],
  ['provider-c', {}, ''],
  ['provider-a', { source: 'provider' }, ' that is read through its interface otherwise'],
]
for (const [provider, terms, more] of cases) {
  test(`a job of a private repository at ${provider}${more} checks it out and fetches, and sees no token`, async () => {
    await using house = await openHouse(provider, { agentSlots: 1, terms }, config)
    await connect(house, provider, true)
    const { revision, said, status } = await build(house, provider)
    const checkout = await said('Checkout code')
    assert.equal(status, 'success', checkout)
    assert.match(checkout, /it is read through the server\n/)
    assert.equal(
      await said('read'),
      `${'of a private repository\n'.repeat(3)}${revision}\trefs/heads/main\nof a private repository\n`,
    )
    const seen = await said('look')
    const url = `${house.webUrl}/acme/web.git`
    assert.ok(seen.startsWith(`${url}\n${url}\n`), seen)
    assert.match(seen, /password=\*\*\*\*\n/)
    const secret = Buffer.from(access[provider][0]).toString('base64')
    for (const word of ['own-token', secret, 'Authorization', 'rhg_'])
      assert.equal(seen.includes(word), false, `${word} is in ${seen}`)
  })
}

test('a repository that opens to everybody is fetched from where it is, also where the project has a token', async () => {
  await using house = await openHouse('provider-a', { agentSlots: 1 }, config)
  await connect(house, 'provider-a', false)
  const { said, status } = await build(house, 'provider-a')
  const checkout = await said('Checkout code')
  assert.equal(status, 'success', checkout)
  assert.doesNotMatch(checkout, /through the server/)
  assert.match(await said('list'), /\n0\n$/)
})

test('a job whose private repository opens no more fails at its checkout, in words', async () => {
  await using house = await openHouse('provider-a', { agentSlots: 1, terms: { source: 'provider' } }, config)
  await connect(house, 'provider-a', true)
  house.folder.state.password = 'x-access-token:another-token'
  const { revision, said, status } = await build(house, 'provider-a')
  assert.equal(status, 'failed')
  assert.ok((await said('Checkout code')).includes(`Cannot read commit ${revision}: its repository cannot be reached`))
})
