import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProjectId } from '#core/ids.ts'
import { insertAttempts } from '#server/store/deliveries.ts'
import { insertMessages } from '#server/store/messages.ts'
import { insertNotice } from '#server/store/notices.ts'
import type { Progress } from '#server/store/outgoing-schema.ts'
import { ada, givenWorkflow } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { newDelivery, post } from './dispatch.ts'
import { dueNow } from './outgoing.ts'
import { sweepOutgoing } from './sweep-outgoing.ts'
import { createWebhook } from './webhooks.ts'

const dayMs = 24 * 3_600_000
const form = { name: 'h', url: 'https://example.com/', verifyTls: true, signingSecret: '', events: ['job-completed'] }

/** One delivery with an attempt, one notice and one message, which stand as told. */
async function keep(
  it: SmallWorld,
  hook: Awaited<ReturnType<typeof createWebhook>>,
  job: string,
  as: Partial<Progress>,
) {
  const { world } = it
  const [id, at] = [world.newId(), world.now()]
  const progress = { ...dueNow(at), ...as }
  const delivery = { ...newDelivery(world, hook, id, 'job-completed', '{}'), ...progress }
  await world.db.transaction().execute(async (tx) => {
    await post(tx, [{ delivery, hook }])
    const answered = { status_code: 200, error: null, answer: null, took_ms: 1 }
    await insertAttempts(tx, [{ id: world.newId(), delivery_id: delivery.id, url: hook.url, at, ...answered }])
    await insertNotice(tx, {
      id,
      job_id: job,
      url: `https://example.com/${id}`,
      body: '{}',
      created_at: at,
      ...progress,
    })
    await insertMessages(tx, [
      { id, kind: 'chat', subject: hook.project_id, event_id: id, title: '', body: '', created_at: at, ...progress },
    ])
  })
}

for (const database of databases) {
  test(`what was sent or given up is kept for as long as decided, and what waits for ever, on ${database}`, async () => {
    await using it = await smallWorld(database, { deliveryDays: 2 })
    const { project, jobs } = await givenWorkflow(it, 'build')
    const hook = await createWebhook(it.world, await ada(it), project.id as ProjectId, form)
    const job = jobs['build'] ?? ''
    const counts = async () => {
      const tables = ['deliveries', 'delivery_attempts', 'notices', 'messages'] as const
      return Promise.all(
        tables.map(async (table) => (await it.world.db.selectFrom(table).select('id').execute()).length),
      )
    }
    const finished_at = it.world.now()
    await keep(it, hook, job, { state: 'delivered', finished_at })
    await keep(it, hook, job, { state: 'dead', attempts: 6, finished_at })
    await keep(it, hook, job, {})
    it.wait(dayMs)
    await keep(it, hook, job, { state: 'delivered', finished_at: it.world.now() })
    it.wait(dayMs)
    await sweepOutgoing(it.world)
    assert.deepEqual(await counts(), [4, 4, 4, 4])
    it.wait(1)
    assert.equal(await sweepOutgoing(it.world), false)
    assert.deepEqual(await counts(), [2, 2, 2, 2])
    it.wait(100 * dayMs)
    await sweepOutgoing(it.world)
    assert.deepEqual(await counts(), [1, 1, 1, 1])
  })
}
