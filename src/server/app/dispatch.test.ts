import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProjectId } from '#core/ids.ts'
import { ada, claim, end, givenAgent, givenProject, givenWorkflow, givenWorkflowOf } from '#test/given.ts'
import { databases, smallWorld } from '#test/world.ts'
import { dispatchEvents } from './dispatch.ts'
import { messagesOf } from './notify.ts'
import { createWebhook } from './webhooks.ts'

const form = {
  name: 'hook',
  url: 'https://example.com/',
  verifyTls: true,
  signingSecret: 's',
  events: ['job-completed'],
}

for (const database of databases) {
  describe(`events that happened, on ${database}`, () => {
    test('are told though of some something cannot be made: those go their way a minute later, without it', async () => {
      await using it = await smallWorld(database)
      const { db } = it.world
      const broken = await givenWorkflow(it, 'build')
      const whole = await givenWorkflowOf(it, await givenProject(it, 'other'), 'build')
      const hooks = new Map<string, string>()
      for (const { project } of [broken, whole])
        hooks.set((await createWebhook(it.world, await ada(it), project.id as ProjectId, form)).id, project.name)
      // An address that was sealed with another key.
      const at = it.world.now()
      const chat = {
        project_id: broken.project.id,
        url: 'nobody can open this',
        wish: 'all',
        created_at: at,
        updated_at: at,
      }
      await db.insertInto('chats').values(chat).execute()
      for (const held of await claim(it, await givenAgent(it), 2)) await end(it, held)
      const dispatch = () =>
        dispatchEvents(it.world, it.app.findRevision, { messages: (event) => messagesOf(it.app, event) })
      const told = async () =>
        (await db.selectFrom('deliveries').select('webhook_id').execute()).map((row) => hooks.get(row.webhook_id))
      // Of a job that ended nothing is told to chats.
      assert.equal(await dispatch(), 3)
      assert.deepEqual((await told()).toSorted(), ['other', 'web'])
      const left = () => db.selectFrom('events').select('kind').where('dispatched_at', 'is', null).execute()
      assert.deepEqual(await left(), [{ kind: 'workflow-completed' }])
      it.wait(59_999)
      assert.equal(await dispatch(), 0)
      it.wait(1)
      assert.equal(await dispatch(), 1)
      assert.deepEqual(await left(), [])
      assert.ok(it.logged.includes('error An event is told without what cannot be made of it'))
    })
  })
}
