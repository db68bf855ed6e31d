import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { ProjectId } from '#core/ids.ts'
import { newDelivery, post } from '#server/app/dispatch.ts'
import { createWebhook } from '#server/app/webhooks.ts'
import { runLoop } from '#server/work/loop.ts'
import { ada, givenProject } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { deliveryLoop } from './deliver.ts'

/** A receiver on loopback that answers with a status, never, or cuts the connection. */
async function openReceiver(answer: (id: string) => number | 'cut' | undefined) {
  const received: string[] = []
  let givenUp = 0
  const server = createServer((request, response) => {
    response.on('close', () => void (response.writableEnded || givenUp++))
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string }
      received.push(id)
      const status = answer(id)
      if (status === 'cut') request.socket.destroy()
      else if (status !== undefined) response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    received,
    /** How many requests were ended by whoever sent them, as they had no answer. */
    givenUp: () => givenUp,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The loop at work in a world; at the end it is stopped and waited for. */
function working({ world, app }: SmallWorld) {
  const stop = new AbortController()
  const loop = deliveryLoop(app)
  const running = runLoop(world.bell, world.log, loop, stop.signal)
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
      await loop[Symbol.asyncDispose]()
    },
  }
}

let hooks = 0

async function hookTo(it: SmallWorld, url: string) {
  const project = await givenProject(it, `project-${++hooks}`)
  const form = { name: 'hook', url, verifyTls: true, signingSecret: 's', events: ['job-completed'] }
  return createWebhook(it.world, await ada(it), project.id as ProjectId, form)
}

async function send({ world }: SmallWorld, hook: Awaited<ReturnType<typeof hookTo>>, count: number) {
  const deliveries = Array.from({ length: count }, () => {
    const id = world.newId()
    return newDelivery(world, hook, id, 'job-completed', JSON.stringify({ id }))
  })
  await world.db.transaction().execute((tx) =>
    post(
      tx,
      deliveries.map((delivery) => ({ delivery, hook })),
    ),
  )
  world.bell.ring('deliveries')
  return deliveries.map(({ event_id }) => event_id)
}

/** Looks again and again, without a sleep of a length that would matter. */
async function until(what: () => Promise<boolean> | boolean, ms = 180_000): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await what())) {
    assert.ok(Date.now() < deadline, `Waited ${ms} ms in vain for ${what.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

const hosts = { webhookHosts: ['127.0.0.1'] }

for (const database of databases) {
  describe(`deliveries on ${database}`, () => {
    test('a receiver that hangs, and a thousand events that wait for it, delay nobody else; order is kept', async () => {
      await using it = await smallWorld(database, hosts)
      await using receiver = await openReceiver(() => 200)
      const hook = await hookTo(it, receiver.url)
      await using _loop = working(it)
      // Others are told while the first request still hangs. On a very busy machine its five seconds may be over too soon: then once more.
      const isToldMeanwhile = async () => {
        await using hanging = await openReceiver(() => undefined)
        await send(it, await hookTo(it, hanging.url), 1_000)
        await until(() => hanging.received.length > 0)
        const before = receiver.received.length
        const ids = await send(it, hook, 1_000)
        await until(() => receiver.received.length > before)
        const isInTime = hanging.givenUp() === 0
        await until(() => receiver.received.length >= before + 1_000)
        assert.deepEqual(receiver.received.slice(before), ids)
        assert.ok(hanging.received.length <= 60, `It was asked ${hanging.received.length} times`)
        return isInTime
      }
      let tries = 1
      while (!(await isToldMeanwhile())) assert.ok(++tries <= 12, 'Others waited for it twelve times')
    })

    test('a receiver that fails for an hour gets everything afterwards, under the same ids, on its schedule', async () => {
      await using it = await smallWorld(database, hosts)
      let status = 500
      await using receiver = await openReceiver(() => status)
      const hook = await hookTo(it, receiver.url)
      await using _loop = working(it)
      const quiet = async () => {
        const lanes = await it.world.db.selectFrom('lanes').selectAll().execute()
        return lanes.every(({ next_at, taken_until }) => taken_until === null && next_at > it.world.now())
      }
      const first = await send(it, hook, 3)
      await until(quiet)
      const attempts: number[] = []
      for (let seconds = 0; seconds <= 3_600; seconds += 30) {
        await until(quiet)
        attempts.push(receiver.received.length / 3)
        it.wait(30_000)
        it.world.bell.ring('deliveries')
      }
      const at = (second: number) => attempts[second / 30]
      assert.deepEqual([at(0), at(30), at(150), at(750), at(2550), at(3600)], [1, 2, 3, 4, 5, 5])
      status = 200
      const later = await send(it, hook, 1)
      await until(() => receiver.received.includes(later[0] ?? ''))
      // Time passes only while nothing is underway: what is sent when its lease ends would be sent again.
      for (let step = 0; step < 30; step++) {
        await until(quiet)
        it.wait(300_000)
        it.world.bell.ring('deliveries')
      }
      await until(quiet)
      assert.equal(receiver.received.length, 3 * 6 + 1)
      assert.deepEqual(new Set(receiver.received), new Set([...first, ...later]))
      const states = await it.world.db.selectFrom('deliveries').select('state').execute()
      assert.deepEqual(new Set(states.map(({ state }) => state)), new Set(['delivered']))
    })

    test('an event without an answer is left behind; those after it in the same go, and in the next, come in their order', async () => {
      await using it = await smallWorld(database, hosts)
      const lost = new Set<string>()
      await using receiver = await openReceiver((id) => (lost.has(id) ? 'cut' : 200))
      const events = await send(it, await hookTo(it, receiver.url), 300)
      // In the middle of a go, at the end of one and at the beginning of one.
      for (const i of [10, 63, 64, 200]) lost.add(events[i] ?? '')
      await using _loop = working(it)
      await until(() => receiver.received.includes(events.at(-1) ?? ''))
      const isThere = (id: string) => !lost.has(id)
      assert.deepEqual(receiver.received.filter(isThere), events.filter(isThere))
      const pending = it.world.db
        .selectFrom('deliveries')
        .select(['event_id', 'attempts'])
        .where('state', '=', 'pending')
      await until(async () => (await pending.execute()).length === lost.size)
      const left = await pending.orderBy('id').execute()
      assert.deepEqual(
        left,
        [...lost].map((event_id) => ({ event_id, attempts: 1 })),
      )
    })
  })
}

test('what was sent and cannot be noted, as on a full disk, is not sent again and again', async () => {
  await using it = await smallWorld('sqlite', hosts)
  await using receiver = await openReceiver(() => 200)
  const hook = await hookTo(it, receiver.url)
  await sql`create trigger full before update on deliveries begin select raise(abort, 'disk is full'); end`.execute(
    it.world.db,
  )
  await using _working = working(it)
  const events = await send(it, hook, 200)
  await until(() => receiver.received.length >= 64)
  // As long as many more would have taken.
  await using other = await openReceiver(() => 200)
  for (let i = 0; i < 50; i++) await fetch(other.url, { method: 'POST', body: JSON.stringify({ id: 'x' }) })
  const { received } = receiver
  assert.deepEqual(received, events.slice(0, received.length))
})
