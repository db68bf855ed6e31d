import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JobId } from '#core/ids.ts'
import { ada } from '#core/play.ts'
import { jobById } from '#server/store/jobs.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import { ada as signedIn, claim, end, givenAgent, givenWorkflow, storyOf } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { openApp } from './app.ts'
import { reclaim } from './leases.ts'
import { rerunWorkflow } from './reruns.ts'
import { whyWaiting } from './waiting.ts'
import { serialPlaces } from './serial-lines.ts'
import { moveLines } from './serial-groups.ts'
import { cancelJob, cancelWorkflow } from './workflows.ts'

const any = 'success|failed|canceled|unauthorized|not_run'
const deployment = (it: SmallWorld, key = 'prod') =>
  givenWorkflow(it, `in[${key}`, 'deploy: in', `out]${key}: deploy=${any}`)

/** Looks until there is nothing to do. */
async function settled(it: SmallWorld): Promise<void> {
  for (let look = 0; look < 20 && (await moveLines(it.world)); look++);
}

const short = async (it: SmallWorld, { id }: { readonly id: Parameters<typeof storyOf>[1] }) =>
  (await storyOf(it, id)).join(', ')

for (const database of databases) {
  describe(`serial groups on ${database}`, () => {
    test('let one in at a time, in the order of arrival', async () => {
      await using it = await smallWorld(database)
      const agent = await givenAgent(it)
      const [first, second, third] = [await deployment(it), await deployment(it), await deployment(it)]
      await settled(it)
      assert.equal(await short(it, first), 'in success, deploy queued, out blocked, running')
      assert.equal(await short(it, second), 'in queued, deploy blocked, out blocked, running')
      for (const next of [second, third]) {
        const held = await claim(it, agent, 10)
        assert.equal(held.length, 1)
        for (const one of held) await end(it, one)
        await settled(it)
        assert.equal(await short(it, next), 'in success, deploy queued, out blocked, running')
      }
      assert.equal(await short(it, first), 'in success, deploy success, out success, success')
    })

    test('are let go by a failure, by a cancel, and by nobody else', async () => {
      await using it = await smallWorld(database)
      const agent = await givenAgent(it)
      const [first, second, third] = [await deployment(it), await deployment(it), await deployment(it)]
      await settled(it)
      const [held] = await claim(it, agent, 1)
      assert.ok(held)
      await cancelWorkflow(it.world, ada, second.id)
      await settled(it)
      assert.equal(await short(it, third), 'in queued, deploy blocked, out blocked, running')
      await end(it, held, 'failed')
      await settled(it)
      assert.equal(await short(it, first), 'in success, deploy failed, out success, failed')
      assert.equal(await short(it, third), 'in success, deploy queued, out blocked, running')
    })

    test('stay held by a canceled job until its agent has stopped it', async () => {
      await using it = await smallWorld(database)
      const agent = await givenAgent(it)
      const [first, second] = [await deployment(it), await deployment(it)]
      await settled(it)
      const [held] = await claim(it, agent, 1)
      assert.ok(held)
      await cancelWorkflow(it.world, ada, first.id)
      await settled(it)
      assert.equal(await short(it, first), 'in success, deploy canceled, out canceled, canceled')
      assert.equal(await short(it, second), 'in queued, deploy blocked, out blocked, running')
      await end(it, held, 'canceled')
      await settled(it)
      assert.equal(await short(it, second), 'in success, deploy queued, out blocked, running')
    })

    test('stay held by a canceled job whose agent is silent until its lease has run out', async () => {
      await using it = await smallWorld(database)
      const agent = await givenAgent(it)
      const [first, second] = [await deployment(it), await deployment(it)]
      await settled(it)
      await claim(it, agent, 1)
      await cancelJob(it.world, ada, first.id, first.jobs['deploy'] as JobId)
      await settled(it)
      assert.equal(await short(it, second), 'in queued, deploy blocked, out blocked, running')
      it.wait(it.world.terms.acceptMs + it.world.terms.leaseMs)
      assert.equal(await reclaim(it.world), 1)
      await settled(it)
      assert.equal(await short(it, second), 'in success, deploy queued, out blocked, running')
    })

    test('do not hold up other groups', async () => {
      await using it = await smallWorld(database)
      await deployment(it)
      const other = await deployment(it, 'staging')
      await settled(it)
      assert.equal(await short(it, other), 'in success, deploy queued, out blocked, running')
    })

    test('never have two holders, however many servers look', async () => {
      await using it = await smallWorld(database)
      await deployment(it)
      await deployment(it)
      const another = openApp(it.world).world
      await Promise.all([moveLines(it.world), moveLines(another), moveLines(it.world), moveLines(another)])
      const held = await it.world.db
        .selectFrom('serial_places')
        .select('job_id')
        .where('held_at', 'is not', null)
        .execute()
      assert.equal(held.length, 1)
    })

    test('leave out a rerun of an older pipeline when a newer one came first', async () => {
      await using it = await smallWorld(database)
      const agent = await givenAgent(it)
      const old = await deployment(it)
      await settled(it)
      for (const one of await claim(it, agent, 1)) await end(it, one, 'failed')
      await deployment(it)
      await settled(it)
      const again = await rerunWorkflow(it.world, ada, old.id, { fromFailed: true })
      await settled(it)
      assert.equal(await short(it, { id: again }), 'in not_run, deploy not_run, out success, success')
    })

    test('are waited for no longer than five hours', async () => {
      await using it = await smallWorld(database)
      await deployment(it)
      const second = await deployment(it)
      await settled(it)
      it.wait(5 * 3_600_000 - 1_000)
      await settled(it)
      assert.equal(await short(it, second), 'in queued, deploy blocked, out blocked, running')
      it.wait(1_000)
      await settled(it)
      assert.equal(await short(it, second), 'in canceled, deploy not_run, out success, canceled')
      const job = await jobById(it.world.db, { id: second.jobs['in'] as JobId })
      assert.equal(job?.reason, 'Waited longer than 5 hours for serial group prod')
    })
  })
}

test('a person is told who holds the serial group, and how many come first', async () => {
  await using it = await smallWorld('sqlite')
  await deployment(it)
  await deployment(it)
  const third = await deployment(it)
  await settled(it)
  const me = await signedIn(it)
  const [place] = await serialPlaces(it.app, me, third.id)
  assert.deepEqual([place?.jobName, place?.before, place?.holder?.pipelineNumber], ['in', 2, 1])
  const stored = await findWorkflow(it.world.db, third.id)
  const deploy = stored?.jobs.find(({ name }) => name === 'deploy')
  assert.ok(stored && deploy)
  assert.equal(
    (await whyWaiting(it.app, deploy, stored.jobs))?.message,
    'Waits for serial group prod: held by workflow main of pipeline 1 of acme/web, and 1 more before it',
  )
})
