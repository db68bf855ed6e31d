import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listCommitStatuses, setConnection } from '#contract/rh/connection.ts'
import { approveJob, listWorkflowJobs } from '#contract/v2/workflow.ts'
import { deliverStatus, takeDueStatuses, toldOf } from '#server/app/commit-statuses.ts'
import { connect } from '#server/app/connect.ts'
import { projectById } from '#server/store/projects.ts'
import { publicProviders } from '#server/vcs/providers/terms.ts'
import { claim, end, givenAgent, givenProject, givenWorkflowOf } from '#test/given.ts'
import { databases, type Database, smallWorld } from '#test/world.ts'
import { openFake } from './fake-api.ts'
import { openHouse } from './house.ts'
import { payload } from './signed.ts'

async function open(database: Database) {
  const fake = await openFake('github')
  const it = await smallWorld(database, { providers: { ...publicProviders, 'provider-a': fake.terms } })
  const { id } = await givenProject(it)
  await it.world.db
    .updateTable('projects')
    .set({ url: `${fake.url}/acme/web.git` })
    .where('id', '=', id)
    .execute()
  const project = await projectById(it.world.db, { id })
  assert.ok(project)
  fake.will('GET /repos/acme/web', { body: { permissions: { push: true } } })
  await connect(it.world, project, 'project-token')
  fake.asked.length = 0
  return {
    it,
    fake,
    project,
    /** Sends what is due; says how everything stands. */
    async send(): Promise<readonly string[]> {
      const signal = new AbortController().signal
      for (const row of await takeDueStatuses(it.world, 'provider-a', 10)) await deliverStatus(it.world, row, signal)
      const rows = await toldOf(it.world, project, '1'.repeat(40))
      return rows.map(({ context, status, state, attempts }) => `${context} ${status} ${state} ${attempts}`)
    },
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]()
      await fake[Symbol.asyncDispose]()
    },
  }
}

const sent = (fake: Awaited<ReturnType<typeof openFake>>) =>
  fake.asked.map(({ body }) => {
    const { context, state } = body as { readonly context: string; readonly state: string }
    return `${context} ${state}`
  })

for (const database of databases) {
  describe(`commit statuses on ${database}`, () => {
    test('a workflow is told when it begins and when it ends; its jobs only where that is wanted', async () => {
      await using house = await open(database)
      const { it, fake, project } = house
      await givenWorkflowOf(it, project, 'build')
      assert.deepEqual(await house.send(), ['ci/service: main running sent 1'])
      const [held] = await claim(it, await givenAgent(it))
      assert.ok(held)
      await end(it, held, 'failed')
      assert.deepEqual(await house.send(), ['ci/service: main failure sent 1'])
      assert.deepEqual(sent(fake), ['ci/service: main pending', 'ci/service: main failure'])
      assert.ok(fake.asked.every(({ authorization }) => authorization === 'Bearer project-token'))
    })

    test('a provider that is down loses nothing: the newest word is sent when it is back, and the older never after it', async () => {
      await using house = await open(database)
      const { it, fake, project } = house
      fake.state.isDown = true
      await givenWorkflowOf(it, project, 'build')
      assert.deepEqual(await house.send(), ['ci/service: main running pending 1'])
      const [held] = await claim(it, await givenAgent(it))
      assert.ok(held)
      await end(it, held)
      assert.deepEqual(await house.send(), ['ci/service: main success pending 1'])
      fake.state.isDown = false
      it.wait(3_600_000)
      assert.deepEqual(await house.send(), ['ci/service: main success sent 2'])
      assert.deepEqual(sent(fake), ['ci/service: main success'])
    })

    test('a provider that wants to be left alone is, and one that says no for good is asked once', async () => {
      await using house = await open(database)
      const { it, fake, project } = house
      const line = `POST /repos/acme/web/statuses/${'1'.repeat(40)}`
      fake.will(line, { status: 429, headers: { 'retry-after': '120' } }, { status: 422, body: {} })
      await givenWorkflowOf(it, project, 'build')
      assert.deepEqual(await house.send(), ['ci/service: main running pending 1'])
      it.wait(60_000)
      assert.deepEqual(await house.send(), ['ci/service: main running pending 1'])
      it.wait(61_000)
      assert.deepEqual(await house.send(), ['ci/service: main running dead 2'])
      it.wait(86_400_000)
      await house.send()
      assert.equal(fake.asked.length, 2)
    })
  })
}

const config = `version: 2.1
jobs:
  build: { machine: true, steps: [run: "true"] }
  deploy: { machine: true, steps: [run: "exit 1"] }
  after: { machine: true, steps: [run: "true"] }
workflows:
  main:
    jobs: [build, hold: { type: approval, requires: [build] }, deploy: { requires: [hold] }, after: { requires: [deploy] }]
`

test('a provider is told of a workflow and each of its jobs as they go: queued, running, held, approved, failed, not run', async () => {
  await using house = await openHouse('provider-c', { agentSlots: 1 }, config)
  const { service, fake } = house
  fake.will('GET /projects/acme%2Fweb', { body: { permissions: { project_access: { access_level: 40 } } } })
  const body = { token: 'project-token', statuses: 'both' } as const
  const connected = await service.call(setConnection, { params: house.slug, body })
  assert.deepEqual(connected, {
    connected: true,
    source: 'git',
    statuses: 'both',
    access: 'admin',
    checkout_key_registered: true,
  })
  const revision = await house.clone.commit('Second', {})
  await house.push('main')
  assert.equal(await house.tell('Push Hook', payload('gitlab-push')), 'done: pipelines 1')
  const told = () =>
    fake.asked.flatMap(({ line, body: said }) => {
      const { name = '', state } = (said ?? {}) as { readonly name?: string; readonly state?: string }
      return line === `POST /projects/acme%2Fweb/statuses/${revision}` ? [`${name.slice(12)} ${state}`] : []
    })
  const workflow = await service.until(async () => {
    const row = await service.world.db.selectFrom('workflows').select(['id', 'status']).executeTakeFirst()
    return row?.status === 'on_hold' && told().includes('main pending') ? row.id : undefined
  })
  const { items } = await service.call(listWorkflowJobs, { params: { id: workflow }, query: {} })
  const held = items.find(({ name }) => name === 'hold')?.id ?? ''
  await service.call(approveJob, { params: { id: workflow, approval_request_id: held } })
  const list = () => service.call(listCommitStatuses, { params: { ...house.slug, revision } })
  const settled = await service.until(async () => {
    const { items: all } = await list()
    return all.length === 5 && all.every(({ state }) => state === 'sent') && told().includes('main failed')
      ? all
      : undefined
  })
  assert.deepEqual(
    settled.map(({ context, status }) => `${context} ${status}`),
    [
      'ci/service: main failure',
      'ci/service: main/after error',
      'ci/service: main/build success',
      'ci/service: main/deploy failure',
      'ci/service: main/hold success',
    ],
  )
  // A word may be passed over where a newer one comes before it is sent; those that last are not, and none comes out of order.
  const order = ['pending', 'running', 'success', 'failed', 'canceled']
  for (const name of ['main/build', 'main/deploy', 'main/hold', 'main/after']) {
    const states = told().flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
    assert.deepEqual(
      states,
      states.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
      name,
    )
  }
  assert.ok(told().includes('main/hold pending'))
})
