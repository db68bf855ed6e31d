import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JobId, WorkflowId } from '#core/ids.ts'
import { ada } from '#core/play.ts'
import { jobById } from '#server/store/jobs.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import { claim, end, type Given, givenAgent, givenWorkflow, storyOf } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { rerunWorkflow, retryBuild } from './reruns.ts'
import { approveJob, cancelJob, cancelWorkflow } from './workflows.ts'

const idOf = ({ jobs }: Given, name: string): JobId => jobs[name] ?? ('none' as JobId)

/** Lets an agent run everything that is ready, each to the ending named for it. */
async function runAll(it: SmallWorld, endings: Readonly<Record<string, 'failed' | 'success'>> = {}): Promise<void> {
  const agent = await givenAgent(it)
  for (let i = 0; i < 20; i++) {
    const held = await claim(it, agent, 10)
    if (held.length === 0) return
    for (const one of held) await end(it, one, endings[one.job.name] ?? 'success')
  }
}

const told = async ({ world }: SmallWorld, id: WorkflowId): Promise<readonly string[]> =>
  (
    await world.db
      .selectFrom('events')
      .select(['kind', 'status'])
      .where('workflow_id', '=', id)
      .orderBy('sequence')
      .execute()
  ).map(({ kind, status }) => `${kind} ${status}`)

for (const database of databases) {
  describe(`what people do with workflows on ${database}`, () => {
    test('approving a held job queues what waited for it, and tells the world', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'gate?', 'deploy: gate')
      assert.deepEqual(await storyOf(it, given.id), ['gate on_hold', 'deploy blocked', 'on_hold'])
      it.rung.length = 0
      const after = await approveJob(it.world, ada, given.id, idOf(given, 'gate'))
      assert.equal(after.status, 'running')
      assert.deepEqual(await storyOf(it, given.id), ['gate success', 'deploy queued', 'running'])
      assert.ok(it.rung.includes('queue'))
      assert.equal((await jobById(it.world.db, { id: idOf(given, 'gate') }))?.approved_by, ada)
    })

    test('of two who approve at once, one is told that it was done already', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'gate?', 'deploy: gate')
      const endings = await Promise.allSettled(
        [1, 2, 3].map(() => approveJob(it.world, ada, given.id, idOf(given, 'gate'))),
      )
      assert.deepEqual(endings.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected'])
      for (const ending of endings)
        if (ending.status === 'rejected') assert.equal((ending.reason as { code: string }).code, 'conflict')
    })

    test('cancelling stops everything that has not ended, once, and tells the agent', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'a', 'b', 'c: a', 'gate?')
      const agent = await givenAgent(it)
      const [held] = await claim(it, agent)
      it.rung.length = 0
      await cancelWorkflow(it.world, ada, given.id)
      await cancelWorkflow(it.world, ada, given.id)
      assert.deepEqual(await storyOf(it, given.id), [
        'a canceled',
        'b canceled',
        'c canceled',
        'gate canceled',
        'canceled',
      ])
      assert.equal(it.rung.filter((topic) => topic === `agent:${agent.id}`).length, 1)
      assert.equal((await told(it, given.id)).filter((event) => event === 'workflow-completed canceled').length, 1)
      assert.ok(held)
      await end(it, held, 'canceled')
      assert.equal((await told(it, given.id)).length, 4)
    })

    test('cancelling one job lets what waited for it not run, and the others go on', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'a', 'b', 'c: a')
      await cancelJob(it.world, ada, given.id, idOf(given, 'a'))
      assert.deepEqual(await storyOf(it, given.id), ['a canceled', 'b queued', 'c not_run', 'running'])
    })

    test('what nobody made cannot be approved or canceled', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'a')
      await assert.rejects(cancelWorkflow(it.world, ada, 'none' as WorkflowId), {
        code: 'not-found',
        message: 'Workflow not found.',
      })
      await assert.rejects(approveJob(it.world, ada, given.id, 'none' as JobId), {
        code: 'not-found',
        message: 'Job not found.',
      })
    })

    test('a workflow that has not ended is not rerun; one that has is, as a new one of the same pipeline', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'a', 'b: a')
      await assert.rejects(rerunWorkflow(it.world, ada, given.id, {}), { code: 'conflict' })
      await runAll(it)
      const again = await rerunWorkflow(it.world, ada, given.id, {})
      assert.deepEqual(await storyOf(it, again), ['a queued', 'b blocked', 'running'])
      const stored = await findWorkflow(it.world.db, again)
      assert.deepEqual(
        [stored?.row.pipeline_id, stored?.row.rerun_of, stored?.row.started_by],
        [given.pipeline, given.id, ada],
      )
      await runAll(it)
      assert.deepEqual(await storyOf(it, again), ['a success', 'b success', 'success'])
      assert.deepEqual(await storyOf(it, given.id), ['a success', 'b success', 'success'])
    })

    test('a rerun from failed carries over what succeeded and runs the rest', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'a', 'b', 'c: a b')
      await runAll(it, { b: 'failed' })
      const again = await rerunWorkflow(it.world, ada, given.id, { fromFailed: true })
      assert.deepEqual(await storyOf(it, again), ['a success', 'b queued', 'c blocked', 'running'])
      const stored = await findWorkflow(it.world.db, again)
      assert.deepEqual(
        stored?.jobs.map((job) => [job.reused_from, job.retry_of]),
        [
          [idOf(given, 'a'), null],
          [null, idOf(given, 'b')],
          [null, idOf(given, 'c')],
        ],
      )
      await runAll(it)
      assert.deepEqual(await storyOf(it, again), ['a success', 'b success', 'c success', 'success'])
    })

    test('reruns of reruns are counted with the first', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'a')
      await runAll(it)
      const second = await rerunWorkflow(it.world, ada, given.id, {})
      await runAll(it)
      await rerunWorkflow(it.world, ada, second, {})
      assert.equal((await findWorkflow(it.world.db, given.id))?.row.reruns, 2)
    })

    test('a build is retried alone, under a new number, whatever it waited for', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'a', 'b: a')
      await runAll(it, { b: 'failed' })
      const build = await jobById(it.world.db, { id: idOf(given, 'b') })
      assert.ok(build)
      const id = await retryBuild(it.world, ada, build)
      const retry = await jobById(it.world.db, { id })
      assert.deepEqual(
        [retry?.name, retry?.status, retry?.number, retry?.why, retry?.retry_of],
        ['b', 'queued', 3, 'retry', build.id],
      )
      await runAll(it)
      assert.deepEqual(await storyOf(it, retry?.workflow_id as WorkflowId), ['b success', 'success'])
    })

    test('a job that was retried after a rerun keeps its place though its agent is lost', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'a', 'b: a')
      await runAll(it, { a: 'failed' })
      const again = await rerunWorkflow(it.world, ada, given.id, { fromFailed: true })
      const [held] = await claim(it, await givenAgent(it))
      assert.ok(held)
      await end(it, held, 'infrastructure_fail')
      assert.deepEqual(await storyOf(it, again), ['a retried', 'a queued', 'b blocked', 'running'])
    })
  })
}
