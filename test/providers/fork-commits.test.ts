import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { setConnection } from '#contract/rh/connection.ts'
import { approvePipeline } from '#contract/rh/forks.ts'
import { updateProjectSettings } from '#contract/v2/project-settings.ts'
import type { Provider } from '#core/names.ts'
import { repositoryOf } from '#server/app/repositories.ts'
import { accessTo } from '#server/app/repository-access.ts'
import { projectBySlug } from '#server/store/projects.ts'
import { watch } from '#test/scenarios/watch.ts'
import { type House, openHouse } from './house.ts'
import { hooksOf } from './push-hooks.ts'
import { payload } from './signed.ts'

const config = `version: 2.1
jobs: { build: { machine: true, steps: [checkout, run: test -f fork.txt] } }
workflows: { main: { jobs: [build] } }
`

interface Fork {
  readonly event: string
  readonly fixture: string
  /** The commit that the fixture names. */
  readonly named: string
  readonly show: (house: House) => Promise<void>
  /** Takes it from the sight of everybody. */
  readonly hide: (house: House) => Promise<unknown>
}

const forks: Readonly<Record<'provider-a' | 'provider-b' | 'provider-c', Fork>> = {
  'provider-a': {
    event: 'pull_request',
    fixture: 'github-pull-fork',
    named: '2'.repeat(40),
    show: (house) => house.push('HEAD:refs/pull/5/head'),
    hide: (house) => house.push(':refs/pull/5/head'),
  },
  'provider-b': {
    event: 'pullrequest:created',
    fixture: 'bitbucket-pull-fork',
    named: '2'.repeat(12),
    async show(house) {
      await house.folder.create('grace/web')
      await house.clone.give(house.folder.pathOf('grace/web'), 'HEAD:refs/heads/mend')
      await house.folder.refresh('grace/web')
    },
    hide: (house) => rm(house.folder.pathOf('grace/web'), { recursive: true }),
  },
  'provider-c': {
    event: 'Merge Request Hook',
    fixture: 'gitlab-merge-request-pushed',
    named: '2'.repeat(40),
    show: (house) => house.push('HEAD:refs/merge-requests/12/head'),
    hide: (house) => house.push(':refs/merge-requests/12/head'),
  },
}

async function projectOf({ service, slug }: House) {
  const project = await projectBySlug(service.world.db, slug.provider, slug.org, slug.repo)
  assert.ok(project)
  return project
}

/** As on another server, which has never seen the repository. */
const loseMirror = async (house: House) =>
  rm(repositoryOf(house.service.world, await projectOf(house)), { recursive: true, force: true })

/** A commit of a fork that waits for approval. */
async function waiting(house: House, provider: keyof typeof forks, settings = {}) {
  const { event, fixture, named, show } = forks[provider]
  const advanced = { build_fork_prs: true, ...settings }
  await house.service.call(updateProjectSettings, { params: house.slug, body: { advanced } })
  const revision = await house.clone.commit('Of a fork', { 'fork.txt': 'x' })
  await show(house)
  const text = payload(fixture, (told) => told.replaceAll(named, revision.slice(0, named.length)))
  assert.equal(await house.tell(event, text), 'done: pipeline 1, which waits for approval')
  const { id } = await house.service.world.db.selectFrom('pipelines').select('id').executeTakeFirstOrThrow()
  const workflow = () =>
    house.service.world.db
      .selectFrom('workflows')
      .select(['id', 'status'])
      .where('pipeline_id', '=', id)
      .executeTakeFirst()
  await house.service.until(async () => ((await workflow())?.status === 'on_hold' ? true : undefined))
  return {
    revision,
    /** Approves of the commit, and says how its workflow ends. */
    async approve(): Promise<string> {
      await house.service.call(approvePipeline, { params: { pipeline_id: id }, body: { revision } })
      return house.service.until(async () => {
        const found = await workflow()
        return found && !['running', 'on_hold', 'failing'].includes(found.status) ? found.status : undefined
      })
    },
    /** What the checkout of its job says. */
    async said(): Promise<string> {
      const eyes = watch(house.service, 'web', house.service.admin.token)
      const job = (await eyes.jobsOf((await workflow())?.id ?? '')).find(({ name }) => name === 'build')
      return eyes.logOf(job?.id ?? '', 'Checkout code')
    },
  }
}

for (const provider of ['provider-a', 'provider-b', 'provider-c'] as const satisfies readonly Provider[]) {
  test(`the commit of a fork at ${provider} is fetched from where it is shown when its job begins, wherever it was looked at before`, async () => {
    await using house = await openHouse(provider, { agentSlots: 1 }, config)
    const fork = await waiting(house, provider)
    await loseMirror(house)
    assert.equal(await fork.approve(), 'success')
  })

  test(`a commit of a fork at ${provider} that cannot be had any more fails its job in words`, async () => {
    await using house = await openHouse(provider, { agentSlots: 1, terms: { source: 'provider' } }, config)
    const fork = await waiting(house, provider)
    await loseMirror(house)
    await forks[provider].hide(house)
    await house.folder.forget('acme/web')
    assert.equal(await fork.approve(), 'failed')
    const said = await fork.said()
    const number = { 'provider-a': 5, 'provider-b': 8, 'provider-c': 12 }[provider]
    assert.ok(said.includes(`Cannot read commit ${fork.revision} of pull request ${number}`), said)
    const why = provider === 'provider-b' ? /is gone, or not shown to us any more/ : /does not show refs\//
    assert.match(said, why)
  })
}

test('what was approved is one commit: where its fork has moved on and shows it no more, nothing else runs in its place', async () => {
  await using house = await openHouse('provider-a', { agentSlots: 1 }, config)
  const fork = await waiting(house, 'provider-a')
  await loseMirror(house)
  await house.clone.git('commit', '--quiet', '--amend', '--message', 'Another')
  await house.push('HEAD:refs/pull/5/head')
  await house.folder.forget('acme/web')
  assert.equal(await fork.approve(), 'failed')
  const now = await house.clone.revision('HEAD')
  const words = `it has moved on to ${now}, and only the commit that was approved may run`
  assert.ok((await fork.said()).includes(words))
})

test('a fork at Bitbucket that is trusted with everything is read through us too: the repository it is sent to does not have it', async () => {
  await using house = await openHouse('provider-b', { agentSlots: 1 }, config)
  const fork = await waiting(house, 'provider-b', { forks_receive_secret_env_vars: true })
  assert.deepEqual(await house.pipelines(), ['1 pull/8 trusted held'])
  assert.equal(await fork.approve(), 'success')
})

test('a pull request at Bitbucket whose repository is gone builds nothing, and says why', async () => {
  await using house = await openHouse('provider-b')
  const advanced = { build_fork_prs: true }
  await house.service.call(updateProjectSettings, { params: house.slug, body: { advanced } })
  const told = JSON.parse(payload('bitbucket-pull-fork')) as { pullrequest: { source: { repository: unknown } } }
  told.pullrequest.source.repository = null
  const why = 'ignored: pull request 8 cannot be built: the repository it comes from is gone'
  assert.equal(await house.tell('pullrequest:created', JSON.stringify(told)), why)
})

const access = {
  'provider-a': ['x-access-token:own-token', 'GET /repos/acme/web', { permissions: { pull: true } }],

  'provider-c': [
    'oauth2:own-token',
    'GET /projects/acme%2Fweb',
    { permissions: { project_access: { access_level: 40 } } },
  ],
} as const

for (const provider of ['provider-a', 'provider-c'] as const) {
  test(`a private repository at ${provider} and the forks of its pull requests are fetched with the token of the project`, async () => {
    await using house = await openHouse(provider, { agentSlots: 1 }, config)
    const [password, line, body] = access[provider]
    house.fake.will(line, { body })
    house.folder.state.password = password
    await house.service.call(setConnection, { params: house.slug, body: { token: 'own-token' } })
    const fork = await waiting(house, provider)
    assert.equal(await fork.approve(), 'success')
    await house.push('main')
    const [event, text] = hooksOf(provider, [{ ref: 'refs/heads/main', to: fork.revision }])[0]!
    assert.equal(await house.tell(event, text), 'done: pipelines 2')
  })
}

test('the token of a project goes to no other host than that of its provider', async () => {
  await using house = await openHouse('provider-a')
  house.fake.will('GET /repos/acme/web', { body: { permissions: { pull: true } } })
  await house.service.call(setConnection, { params: house.slug, body: { token: 'own-token' } })
  const project = await projectOf(house)
  const { world } = house.service
  const at = async (url: string) => (await accessTo(world, project, url)).password
  assert.equal(await at(`${house.webUrl}/mallory/web.git`), 'x-access-token:own-token')
  const other = new URL(house.webUrl)
  other.port = String(Number(other.port) - 1)
  assert.equal(await at(`${other.origin}/acme/web.git`), undefined)
  assert.equal(await at('ssh://git@127.0.0.1/acme/web.git'), undefined)
})
