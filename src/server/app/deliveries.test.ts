import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProjectId } from '#core/ids.ts'
import { attemptsOf, type DeliveryRow, deliveryById } from '#server/store/deliveries.ts'
import { between, type Instant } from '#kit/brand.ts'
import { claim, ada, end, type Given, givenAgent, givenProject, givenWorkflow } from '#test/given.ts'
import { databases, noon, smallWorld, type SmallWorld } from '#test/world.ts'
import { signatureOf } from './deliveries.ts'
import { dispatchEvents } from './dispatch.ts'
import { type Lane, leaveLane, lettersIn, noteAttempts, resumeDeliveries, takeLanes } from './lanes.ts'
import { type Answer, type Letter, type Post, traceOf } from './outgoing.ts'
import { changeWebhook, createWebhook, removeWebhook, type WebhookForm } from './webhooks.ts'

const form: WebhookForm = {
  name: 'hook',
  url: 'https://example.com/hook',
  verifyTls: true,
  signingSecret: 'secret',
  events: ['job-completed', 'workflow-completed'],
}

const hookFor = async (it: SmallWorld, { project }: Given, differently: Partial<WebhookForm> = {}) =>
  createWebhook(it.world, await ada(it), project.id as ProjectId, { ...form, ...differently })

async function runOne(it: SmallWorld): Promise<void> {
  const [held] = await claim(it, await givenAgent(it))
  assert.ok(held)
  await end(it, held)
}

/** Something that was taken to be sent. */
interface Outgoing extends Post {
  readonly lane: Lane
  readonly letter: Letter
  readonly delivery: DeliveryRow
}

async function takeDeliveries(it: SmallWorld, most = 10): Promise<Outgoing[]> {
  const { lanes } = await takeLanes(it.world, 100, [], () => 100)
  const taken: Outgoing[] = []
  for (const lane of lanes) {
    for (const letter of await lettersIn(it.world, lane, most)) {
      assert.ok('post' in letter.way)
      const delivery = await deliveryById(it.world.db, { id: letter.id })
      assert.ok(delivery)
      taken.push({ lane, letter, delivery, ...letter.way.post })
    }
  }
  return taken
}

async function settle({ world }: SmallWorld, sent: readonly Outgoing[], answer: Answer): Promise<void> {
  await noteAttempts(
    world,
    sent.map(({ lane, letter }) => ({ kind: lane.kind, letter: traceOf(letter), at: world.now(), tookMs: 7, answer })),
  )
  for (const lane of new Set(sent.map((one) => one.lane))) await leaveLane(world, lane)
}

/** A build that has ended, and what must be sent because of it. */
async function outgoing(it: SmallWorld, differently: Partial<WebhookForm> = {}): Promise<readonly Outgoing[]> {
  const given = await givenWorkflow(it, 'build')
  await hookFor(it, given, differently)
  await runOne(it)
  await dispatchEvents(it.world, it.app.findRevision)
  return takeDeliveries(it)
}

const bodyOf = ({ delivery }: Outgoing) => JSON.parse(delivery.body) as Record<string, Record<string, unknown>>

test('signatures are those that receivers know', () => {
  const v1 = (body: string, secret: string) => signatureOf(secret, body)
  assert.equal(v1('hello world', 'secret'), 'v1=734cc62f32841568f45715aeb9f4d7891324e6d948e4c6c60c0621cdac48623a')
  assert.equal(v1('lalala', 'another-secret'), 'v1=daa220016c8f29a8b214fbfc3671aeec2145cfb1e6790184ffb38b6d0425fa00')
  const known = 'v1=9be2242094a9a8c00c64306f382a7f9d691de910b4a266f67bd314ef18ac49fa'
  assert.equal(v1('an-important-request-payload', 'hunter123'), known)
  assert.equal(v1('foo', 'secret'), 'v1=773ba44693c7553d6ee20f61ea5d2757a9a4f4a44d2841ae4e95b52e4cd62db4')
})

for (const database of databases) {
  describe(`webhooks on ${database}`, () => {
    test('a build that ends is told once to each webhook that wants to hear of it, signed', async () => {
      await using it = await smallWorld(database)
      const sent = await outgoing(it)
      assert.deepEqual(sent.map(({ delivery }) => delivery.event_type).toSorted(), [
        'job-completed',
        'workflow-completed',
      ])
      for (const one of sent) {
        const { delivery, headers, url, verifyTls } = one
        assert.deepEqual([url, verifyTls], [form.url, true])
        assert.deepEqual(headers, {
          'Content-Type': 'application/json',
          'User-Agent': 'Service-Webhook/1.0',
          'Service-Event-Type': delivery.event_type,
          'Circleci-Event-Type': delivery.event_type,
          'Service-Signature': signatureOf('secret', delivery.body),
          'Circleci-Signature': signatureOf('secret', delivery.body),
        })
        assert.equal(JSON.stringify(JSON.parse(delivery.body)), delivery.body)
        assert.equal(bodyOf(one)['id'], delivery.event_id)
        assert.equal(bodyOf(one)['happened_at'], noon)
      }
      assert.deepEqual(await takeDeliveries(it), [])
      assert.equal(await dispatchEvents(it.world, it.app.findRevision), 0)
    })

    test('those who dispatch at once, or again after a crash, make each delivery once', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'build')
      await hookFor(it, given)
      await hookFor(it, given, { events: ['workflow-completed'] })
      await runOne(it)
      await Promise.all([1, 2, 3].map(() => dispatchEvents(it.world, it.app.findRevision)))
      await it.world.db.updateTable('events').set({ dispatched_at: null }).execute()
      await dispatchEvents(it.world, it.app.findRevision)
      assert.equal((await takeDeliveries(it)).length, 3)
    })

    test('an attempt that fails is made again after 30 s, 2 min, 10 min, 30 min and 2 h, always the same, and then never', async () => {
      await using it = await smallWorld(database)
      const [first] = await outgoing(it, { events: ['workflow-completed'] })
      assert.ok(first)
      const waits: number[] = []
      const bodies = new Set<string>()
      const answers: readonly Answer[] = [
        { status: 500 },
        { status: 301 },
        { error: 'No answer' },
        { status: 404 },
        { status: 199 },
        { status: 503 },
      ]
      let next: Outgoing | undefined = first
      for (const answer of answers) {
        assert.ok(next)
        bodies.add(next.delivery.body)
        const at = it.world.now()
        await settle(it, [next], answer)
        const due = await it.world.db.selectFrom('deliveries').select(['next_at', 'state']).executeTakeFirstOrThrow()
        if (due.state === 'dead') break
        const wait = between(at, due.next_at as Instant)
        waits.push(wait / 1000)
        it.wait(wait - 1)
        assert.deepEqual(await takeDeliveries(it), [])
        it.wait(1)
        next = (await takeDeliveries(it))[0]
      }
      assert.deepEqual(waits, [30, 120, 600, 1800, 7200])
      assert.equal(bodies.size, 1)
      it.wait(1_000_000_000)
      assert.deepEqual(await takeDeliveries(it), [])
      const { state, attempts, status_code, finished_at } = await it.world.db
        .selectFrom('deliveries')
        .selectAll()
        .executeTakeFirstOrThrow()
      assert.deepEqual([state, attempts, status_code, finished_at !== null], ['dead', 6, 503, true])
    })

    test('attempts that are noted together keep each its own answer, also where texts look like none', async () => {
      await using it = await smallWorld(database)
      const [first] = await outgoing(it, { events: ['workflow-completed'] })
      assert.ok(first)
      const answers: readonly Answer[] = [
        { status: 200 },
        { status: 200, text: 'null' },
        { status: 200, text: 'ok' },
        { error: 'null' },
        { error: 'a' },
        { status: 200, text: 'ok' },
      ]
      const letter = traceOf(first.letter)
      await noteAttempts(
        it.world,
        answers.map((answer, i) => ({ kind: 'webhook' as const, letter, at: it.world.now(), tookMs: i, answer })),
      )
      const kept = await attemptsOf(it.world.db, { delivery: letter.id, most: 10 })
      assert.deepEqual(
        kept
          .map(({ took_ms, status_code, error, answer }) => [took_ms, status_code, error, answer])
          .toSorted(([a], [b]) => Number(a) - Number(b)),
        [
          [0, 200, null, null],
          [1, 200, null, 'null'],
          [2, 200, null, 'ok'],
          [3, null, 'null', null],
          [4, null, 'a', null],
          [5, 200, null, 'ok'],
        ],
      )
    })

    test('what was taken by a server that died is sent by another a minute later', async () => {
      await using it = await smallWorld(database)
      const [first] = await outgoing(it, { events: ['workflow-completed'] })
      it.wait(59_999)
      assert.deepEqual(await takeDeliveries(it), [])
      it.wait(1)
      assert.deepEqual(
        (await takeDeliveries(it)).map(({ delivery }) => delivery.id),
        [first?.delivery.id],
      )
    })

    test('the only server, started again, sends at once what it was sending when it died', async () => {
      await using it = await smallWorld(database)
      const [first] = await outgoing(it, { events: ['workflow-completed'] })
      assert.deepEqual(await takeDeliveries(it), [])
      await resumeDeliveries(it.world)
      assert.deepEqual(
        (await takeDeliveries(it)).map(({ delivery }) => delivery.id),
        [first?.delivery.id],
      )
    })

    test('what was delivered is done, and takers at once share the lanes in which something is due', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'a', 'b', 'c', 'd')
      for (let hooks = 0; hooks < 3; hooks++) await hookFor(it, given, { events: ['job-completed'] })
      for (const held of await claim(it, await givenAgent(it), 4)) await end(it, held)
      await dispatchEvents(it.world, it.app.findRevision)
      const taken = (await Promise.all([1, 2, 3].map(() => takeDeliveries(it)))).flat()
      assert.equal(new Set(taken.map(({ delivery }) => delivery.id)).size, taken.length)
      taken.push(...(await takeDeliveries(it)))
      assert.equal(taken.length, 12)
      await settle(it, taken, { status: 204 })
      it.wait(1_000_000)
      assert.deepEqual(await takeDeliveries(it), [])
    })

    test('a secret that was changed signs what is sent from then on; none signs nothing; one that is gone gets nothing', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'build')
      const user = await ada(it)
      const [unsigned, changed, gone] = [
        await hookFor(it, given, { signingSecret: '' }),
        await hookFor(it, given),
        await hookFor(it, given),
      ]
      await runOne(it)
      await dispatchEvents(it.world, it.app.findRevision)
      await changeWebhook(it.world, user, changed.id, { signingSecret: 'newer' })
      await removeWebhook(it.world, user, gone.id)
      const sent = (await takeDeliveries(it)).filter(({ delivery }) => delivery.event_type === 'job-completed')
      const signatures = new Map(
        sent.map(({ delivery, headers }) => [delivery.webhook_id, headers['Service-Signature']]),
      )
      const body = sent.find(({ delivery }) => delivery.webhook_id === changed.id)?.delivery.body ?? ''
      assert.deepEqual(
        signatures,
        new Map([
          [unsigned.id, undefined],
          [changed.id, signatureOf('newer', body)],
        ]),
      )
    })

    test('a project has at most five webhooks, also when ten are made at once', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      const user = await ada(it)
      const endings = await Promise.allSettled(
        Array.from({ length: 10 }, (_, i) =>
          createWebhook(it.world, user, project.id as ProjectId, { ...form, name: `hook ${i}` }),
        ),
      )
      assert.equal(endings.filter(({ status }) => status === 'fulfilled').length, 5)
      for (const ending of endings)
        if (ending.status === 'rejected') assert.equal((ending.reason as { code: string }).code, 'invalid')
    })
  })
}
