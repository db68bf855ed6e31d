import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WorkflowId } from '#core/ids.ts'
import { ada, claim, end, givenAgent, givenWorkflow } from '#test/given.ts'
import { databases, type SmallWorld, smallWorld } from '#test/world.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import { approveJob, cancelWorkflow } from '#server/app/workflows.ts'
import { criticalPathOf } from './critical-path.ts'

/** `build agent 5+15`: what it waited for, how long it waited and ran, in seconds. */
async function pathOf(it: SmallWorld, id: WorkflowId): Promise<readonly string[]> {
  const stored = await findWorkflow(it.world.db, id)
  assert.ok(stored)
  return (await criticalPathOf(it.app, stored)).map(({ name, waitedFor, waited, ran, nodes }) => {
    const each = nodes ? ` of ${nodes.map((ms) => ms / 1000).join(' ')}` : ''
    return `${name} ${waitedFor} ${waited / 1000}+${ran / 1000}${each}`
  })
}

for (const database of databases) {
  describe(`critical paths on ${database}`, () => {
    test('go through an approval, and say that it was a person who was waited for', async () => {
      await using it = await smallWorld(database)
      const { id, jobs } = await givenWorkflow(it, 'build', 'gate?: build', 'deploy: gate')
      const agent = await givenAgent(it)
      it.wait(5_000)
      const [build] = await claim(it, agent)
      it.wait(10_000)
      await end(it, build!)
      it.wait(100_000)
      // So far: it waits for somebody now.
      assert.deepEqual(await pathOf(it, id), ['build agent 5+10', 'gate person 100+0'])
      await approveJob(it.world, (await ada(it)).id, id, jobs['gate']!)
      it.wait(1_000)
      const [deploy] = await claim(it, agent)
      it.wait(2_000)
      await end(it, deploy!)
      it.wait(50_000)
      assert.deepEqual(await pathOf(it, id), ['build agent 5+10', 'gate person 100+0', 'deploy agent 1+2'])
    })

    test('tell what a workflow waited for until it was canceled', async () => {
      await using it = await smallWorld(database)
      const held = await givenWorkflow(it, 'gate?', 'deploy: gate')
      const queued = await givenWorkflow(it, 'build')
      it.wait(30_000)
      const { id: by } = await ada(it)
      for (const { id } of [held, queued]) await cancelWorkflow(it.world, by, id)
      it.wait(30_000)
      assert.deepEqual(
        [await pathOf(it, held.id), await pathOf(it, queued.id)],
        [['gate person 30+0'], ['build agent 30+0']],
      )
    })

    test('tell how long each of several nodes ran', async () => {
      await using it = await smallWorld(database)
      const { id } = await givenWorkflow(it, 'build*3')
      const nodes = await claim(it, await givenAgent(it), 3)
      for (const node of nodes.toSorted((a, b) => a.lease.node - b.lease.node)) {
        it.wait(10_000)
        await end(it, node)
      }
      assert.deepEqual(await pathOf(it, id), ['build agent 0+30 of 10 20 30'])
    })

    test('hold the attempt that was lost with its agent', async () => {
      await using it = await smallWorld(database)
      const { id } = await givenWorkflow(it, 'build')
      const agent = await givenAgent(it)
      const [lost] = await claim(it, agent)
      it.wait(20_000)
      await end(it, lost!, 'infrastructure_fail')
      const [again] = await claim(it, agent)
      it.wait(7_000)
      if (again) await end(it, again)
      assert.deepEqual(await pathOf(it, id), ['build agent 0+20', 'build agent 0+7'])
    })
  })
}
