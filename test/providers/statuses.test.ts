import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deliverStatus, statusesOf, takeDueStatuses, toldOf } from '#server/app/commit-statuses.ts'
import { connect } from '#server/app/connections.ts'
import { dispatchEvents } from '#server/app/dispatch.ts'
import { projectById } from '#server/store/projects.ts'
import { publicProviders } from '#server/vcs/providers/terms.ts'
import { claim, end, givenAgent, givenProject, givenWorkflowOf } from '#test/given.ts'
import { databases, type Database, smallWorld } from '#test/world.ts'
import { openFake } from './fake-api.ts'

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
      await dispatchEvents(it.world, it.app.findRevision, { statuses: (event) => statusesOf(it.world, event) })
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
      assert.deepEqual(await house.send(), ['ci/service: main pending sent 1'])
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
      assert.deepEqual(await house.send(), ['ci/service: main pending pending 1'])
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
      assert.deepEqual(await house.send(), ['ci/service: main pending pending 1'])
      it.wait(60_000)
      assert.deepEqual(await house.send(), ['ci/service: main pending pending 1'])
      it.wait(61_000)
      assert.deepEqual(await house.send(), ['ci/service: main pending dead 2'])
      it.wait(86_400_000)
      await house.send()
      assert.equal(fake.asked.length, 2)
    })
  })
}
