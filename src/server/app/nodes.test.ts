import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '#test/property.ts'
import { ada } from '#core/play.ts'
import type { NodeOutcome } from '#core/nodes.ts'
import { leasesOfJob } from '#server/store/leases.ts'
import { stepsOf } from '#server/store/steps.ts'
import {
  claim,
  end,
  givenAgent,
  givenWorkflow,
  givenWorkflowOf,
  givenProject,
  type Held,
  storyOf,
} from '#test/given.ts'
import { type Database, databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { jobBodies } from './job-details.ts'
import { nodesFor } from './job-page.ts'
import { reclaim, renew } from './leases.ts'
import { appendLog } from './logs.ts'
import { otherNodes } from './other-nodes.ts'
import { readLog } from './read-log.ts'
import { reportSteps } from './report-steps.ts'
import { cancelWorkflow } from './workflows.ts'
import { Readable } from 'node:stream'
import type { AgentId } from '#core/ids.ts'

const running = (it: SmallWorld) =>
  ({ index: 0, status: 'running', startedAt: it.world.now(), endedAt: null, exitCode: null, logSize: null }) as const

/** How the nodes of a job stand, in order. */
async function nodesOf(it: SmallWorld, held: Held): Promise<readonly string[]> {
  const job = await it.world.db.selectFrom('jobs').selectAll().where('id', '=', held.job.id).executeTakeFirstOrThrow()
  return (await nodesFor(it.app, job)).map(({ status }) => status)
}

async function three(it: SmallWorld) {
  const given = await givenWorkflow(it, 'build*3', 'after: build')
  const agent = await givenAgent(it)
  const held = await claim(it, agent, 10)
  return { given, agent, held: held.toSorted((a, b) => a.node - b.node) }
}

const say = async (it: SmallWorld, { lease }: Held, text: string) =>
  appendLog(it.world, jobBodies(it.world.db), lease, 0, {
    start: 0,
    size: text.length,
    bytes: Readable.from(Buffer.from(text)),
  })

const completions = async ({ world }: SmallWorld): Promise<readonly string[]> =>
  (await world.db.selectFrom('events').select(['kind', 'status']).where('kind', '=', 'job-completed').execute()).map(
    ({ status }) => status,
  )

for (const database of databases) {
  describe(`a job of several nodes on ${database}`, () => {
    test('is handed out node by node, the first one last, each with a fence and a token of its own', async () => {
      await using it = await smallWorld(database)
      const { id } = await givenWorkflow(it, 'build*3')
      const agent = await givenAgent(it)
      const held = [...(await claim(it, agent, 1)), ...(await claim(it, agent, 5))]
      assert.deepEqual(
        held.map(({ node, fence }) => [node, fence]),
        [
          [2, 1],
          [1, 2],
          [0, 3],
        ],
      )
      assert.equal(new Set(held.map(({ token }) => token)).size, 3)
      assert.deepEqual(await storyOf(it, id), ['build running', 'running'])
    })

    test('ends when the last of its nodes does, and what needs it begins then', async () => {
      await using it = await smallWorld(database)
      const { given, held } = await three(it)
      await end(it, held[1]!)
      await end(it, held[0]!)
      assert.deepEqual(await storyOf(it, given.id), ['build running', 'after blocked', 'running'])
      assert.deepEqual(await nodesOf(it, held[0]!), ['success', 'success', 'running'])
      await end(it, held[2]!)
      assert.deepEqual(await storyOf(it, given.id), ['build success', 'after queued', 'running'])
    })

    test('fails when one node does, but lets the others run to their end', async () => {
      await using it = await smallWorld(database)
      const { given, held } = await three(it)
      await end(it, held[1]!, 'failed')
      assert.equal((await storyOf(it, given.id))[0], 'build running')
      assert.equal(await otherNodes(it.world, held[0]!.lease), 'failed')
      await end(it, held[2]!)
      await end(it, held[0]!)
      assert.deepEqual(await storyOf(it, given.id), ['build failed', 'after not_run', 'failed'])
    })

    test('keeps the steps and logs of its nodes apart', async () => {
      await using it = await smallWorld(database)
      const { held } = await three(it)
      for (const one of held) await say(it, one, `I am node ${one.node}`)
      const steps = await stepsOf(it.world.db, held[0]!.job.id)
      assert.deepEqual(
        steps.map(({ node, position }) => [node, position]),
        [
          [0, 0],
          [1, 0],
          [2, 0],
        ],
      )
      const read = async (node: number) =>
        Buffer.concat(await Array.fromAsync(readLog(it.world, held[0]!.job.id, 0, 0, Infinity, node))).toString()
      assert.deepEqual(await Promise.all([0, 1, 2].map(read)), ['I am node 0', 'I am node 1', 'I am node 2'])
    })

    test('is canceled on all of them', async () => {
      await using it = await smallWorld(database)
      const { given, held, agent } = await three(it)
      await cancelWorkflow(it.world, ada, given.id)
      const holds = held.map(({ job, fence }) => ({ job: job.id as never, fence }))
      assert.equal((await renew(it.world, agent.id as AgentId, holds)).cancel.length, 3)
      for (const one of held) await end(it, one, 'canceled')
      assert.deepEqual(await storyOf(it, given.id), ['build canceled', 'after canceled', 'canceled'])
      assert.deepEqual(await nodesOf(it, held[0]!), ['canceled', 'canceled', 'canceled'])
    })

    test('canceled while some of its nodes wait, hands none of these out', async () => {
      await using it = await smallWorld(database)
      const { id } = await givenWorkflow(it, 'build*3')
      const agent = await givenAgent(it)
      const [first] = await claim(it, agent, 1)
      await cancelWorkflow(it.world, ada, id)
      assert.deepEqual(await claim(it, agent, 10), [])
      assert.deepEqual(await nodesOf(it, first!), ['canceled', 'canceled', 'canceled'])
    })

    test('goes on when a node is lost before its first step, and only that one is handed out again', async () => {
      await using it = await smallWorld(database)
      const { given, held, agent } = await three(it)
      for (const one of [held[0]!, held[2]!]) await reportSteps(it.app, one.lease, [running(it)])
      it.wait(it.world.terms.acceptMs + 1)
      assert.equal(await reclaim(it.world), 1)
      assert.deepEqual(await nodesOf(it, held[0]!), ['running', 'queued', 'running'])
      const again = await claim(it, agent, 10)
      assert.deepEqual(
        again.map(({ node, fence }) => [node, fence]),
        [[1, 4]],
      )
      await assert.rejects(end(it, held[1]!), { code: 'conflict' })
      for (const one of [held[0]!, again[0]!, held[2]!]) await end(it, one)
      assert.equal((await storyOf(it, given.id))[0], 'build success')
    })

    test('waits again when all of its nodes were lost before their first step', async () => {
      await using it = await smallWorld(database)
      const { given, agent } = await three(it)
      it.wait(it.world.terms.acceptMs + 1)
      await reclaim(it.world)
      assert.equal((await storyOf(it, given.id))[0], 'build queued')
      assert.equal((await claim(it, agent, 10)).length, 3)
    })

    test('is tried again whole when a node is lost later, and its other nodes are told to stop', async () => {
      await using it = await smallWorld(database)
      const { given, held, agent } = await three(it)
      await reportSteps(it.app, held[1]!.lease, [running(it)])
      it.wait(it.world.terms.leaseMs - 1000)
      const alive = [held[0]!, held[2]!].map(({ job, fence }) => ({ job: job.id as never, fence }))
      for (const one of [held[0]!, held[2]!]) await reportSteps(it.app, one.lease, [running(it)])
      it.wait(1001)
      await reclaim(it.world)
      assert.deepEqual((await storyOf(it, given.id)).slice(0, 2), ['build retried', 'build queued'])
      assert.equal((await renew(it.world, agent.id as AgentId, alive)).cancel.length, 2)
      for (const one of [held[0]!, held[2]!]) await end(it, one, 'canceled')
      assert.deepEqual(await leasesOfJob(it.world.db, { job: held[0]!.job.id }), [])
      const again = await claim(it, agent, 10)
      assert.equal(again.length, 3)
      for (const one of again) await end(it, one)
      assert.deepEqual((await storyOf(it, given.id)).slice(0, 2), ['build retried', 'build success'])
    })

    test('completes once, and alike, in whatever order its nodes end', { timeout: 120_000 }, () =>
      fc.assert(
        fc.asyncProperty(endings, (wanted) => playedTogether(database, wanted)),
        { numRuns: 8, endOnFailure: true },
      ),
    )
  })
}

const outcome = fc.constantFrom<NodeOutcome>('success', 'success', 'failed', 'timedout', 'canceled')
const endings = fc.array(outcome, { minLength: 2, maxLength: 6 }).chain((outcomes) =>
  fc.record({
    outcomes: fc.constant(outcomes),
    order: fc.shuffledSubarray([...outcomes.keys()], { minLength: outcomes.length }),
  }),
)

type Endings = typeof endings extends fc.Arbitrary<infer E> ? E : never

/** All nodes end at once, started in some order: the job has one ending, the worst of theirs. */
async function playedTogether(database: Database, { outcomes, order }: Endings): Promise<void> {
  await using it = await smallWorld(database)
  const project = await givenProject(it)
  const { id } = await givenWorkflowOf(it, project, `build*${outcomes.length}`)
  const held = await claim(it, await givenAgent(it), 10)
  await Promise.all(order.map((place) => end(it, held[place]!, outcomes[held[place]!.node]!)))
  const worst = (['failed', 'timedout', 'canceled', 'success'] as const).find((one) => outcomes.includes(one))
  assert.deepEqual(await completions(it), [worst])
  assert.equal((await storyOf(it, id))[0], `build ${worst}`)
}
