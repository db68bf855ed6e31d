import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import type { AgentId, JobId } from '#core/ids.ts'
import { ada } from '#core/play.ts'
import { later } from '#kit/brand.ts'
import { leaseOf } from '#server/store/leases.ts'
import { queueLength } from '#server/store/queue.ts'
import { stepsOf } from '#server/store/steps.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import {
  ada as signedIn,
  claim,
  end,
  givenAgent,
  givenProject,
  givenWorkflow,
  type Held,
  storyOf,
} from '#test/given.ts'
import { databases, noon, smallWorld, type SmallWorld } from '#test/world.ts'
import { attendance, cancellationsFor, dropUnheld, reclaim, resumeLeases, renew } from './leases.ts'
import { appendLog } from './logs.ts'
import { packSome } from './pending.ts'
import { followLog } from './read-log.ts'
import { reportSteps } from './report-steps.ts'
import { addSshUser, sshVisitors } from './ssh-visitors.ts'
import { cancelWorkflow } from './workflows.ts'

const running = { index: 0, status: 'running', startedAt: noon, endedAt: null, exitCode: null, logSize: null }
const hold = ({ job, fence }: Held) => ({ job: job.id as JobId, fence })
const say = ({ world, app }: SmallWorld, { lease }: Held, text: string): Promise<number> =>
  appendLog(world, app.bodyOf, lease, 0, { start: 0, size: text.length, bytes: Readable.from([Buffer.from(text)]) })

/** A job in the hands of an agent, and how both go on. */
async function running1(it: SmallWorld, ...lines: readonly string[]) {
  const given = await givenWorkflow(it, ...(lines.length === 0 ? ['build'] : lines))
  const agent = await givenAgent(it)
  const [held] = await claim(it, agent)
  assert.ok(held)
  return { given, agent, held, id: agent.id as AgentId }
}

for (const database of databases) {
  describe(`leases on ${database}`, () => {
    test('an agent that speaks in time keeps its job', async () => {
      await using it = await smallWorld(database)
      const { held, id, given } = await running1(it)
      for (let i = 0; i < 5; i++) {
        it.wait(10_000)
        assert.deepEqual(await renew(it.world, id, [hold(held)]), { isNews: i === 0, cancel: [], lost: [] })
        assert.equal(await reclaim(it.world), 0)
      }
      const lease = await leaseOf(it.world.db, { node: 0, job: held.job.id })
      assert.equal(lease?.expires_at, later(noon, 50_000 + it.world.terms.leaseMs))
      assert.deepEqual(await storyOf(it, given.id), ['build running', 'running'])
    })

    test('a job that was lost before its first step goes back to its place in line as if nothing had been', async () => {
      await using it = await smallWorld(database)
      const { held, given, agent } = await running1(it)
      await givenWorkflow(it, 'later')
      it.wait(it.world.terms.acceptMs + 1)
      it.rung.length = 0
      assert.equal(await reclaim(it.world), 1)
      assert.equal(await reclaim(it.world), 0)
      assert.deepEqual(await storyOf(it, given.id), ['build queued', 'running'])
      assert.ok(it.rung.includes('queue'))
      const [again] = await claim(it, agent)
      assert.deepEqual([again?.job.id, again?.job.number, again?.fence], [held.job.id, held.job.number, 2])
    })

    test('what an agent that began anew does not have goes back at once, also after an absence of the server', async () => {
      await using it = await smallWorld(database)
      const { held, given, agent, id } = await running1(it)
      await resumeLeases(it.world)
      await dropUnheld(it.world, id, [hold(held)])
      assert.deepEqual(await storyOf(it, given.id), ['build running', 'running'])
      await dropUnheld(it.world, id, [])
      assert.deepEqual(await storyOf(it, given.id), ['build queued', 'running'])
      const [again] = await claim(it, agent)
      assert.ok(again)
      assert.deepEqual([again.job.id, again.fence], [held.job.id, 2])
      await reportSteps(it.app, again.lease, [running])
      await dropUnheld(it.world, id, [hold(held)])
      assert.deepEqual(await storyOf(it, given.id), ['build retried', 'build queued', 'running'])
      assert.equal(
        (await findWorkflow(it.world.db, given.id))?.jobs[0]?.reason,
        'The agent that ran this job was started again and does not have the job any more',
      )
    })

    test('what a server handed out as it died goes back when its agent claims from the next one, and only then', async () => {
      await using it = await smallWorld(database)
      const { held, given, agent, id } = await running1(it)
      await resumeLeases(it.world)
      const attend = attendance(it.world)
      await attend(id, undefined)
      assert.deepEqual(await storyOf(it, given.id), ['build running', 'running'])
      await attend(id, [])
      assert.deepEqual(await storyOf(it, given.id), ['build queued', 'running'])
      const [again] = await claim(it, agent)
      assert.equal(again?.job.id, held.job.id)
      // Its answer may still be under way.
      await attend(id, [])
      assert.deepEqual(await storyOf(it, given.id), ['build running', 'running'])
    })

    test('a job that was lost after its first step is retried, and everybody can see that', async () => {
      await using it = await smallWorld(database)
      const { held, given, agent } = await running1(it, 'build', 'deploy: build')
      await addSshUser(it.world, await signedIn(it), given.project, held.job)
      await reportSteps(it.app, held.lease, [running])
      it.wait(it.world.terms.leaseMs + 1)
      await reclaim(it.world)
      assert.deepEqual(await storyOf(it, given.id), ['build retried', 'build queued', 'deploy blocked', 'running'])
      const [again] = await claim(it, agent)
      assert.deepEqual([again?.job.attempt, again?.job.retry_of, again?.job.number], [2, held.job.id, 2])
      assert.ok(again)
      assert.deepEqual((await sshVisitors(it.world, again.job.id)).users, ['ada'])
      await end(it, again)
      assert.deepEqual(await storyOf(it, given.id), ['build retried', 'build success', 'deploy queued', 'running'])
    })

    test('a job that is lost more often than it is retried has failed, with the reason', async () => {
      await using it = await smallWorld(database)
      const { held, given, agent } = await running1(it)
      await reportSteps(it.app, held.lease, [running])
      it.wait(it.world.terms.leaseMs + 1)
      await reclaim(it.world)
      const [again] = await claim(it, agent)
      assert.ok(again)
      await reportSteps(it.app, again.lease, [running])
      it.wait(it.world.terms.leaseMs + 1)
      await reclaim(it.world)
      assert.deepEqual(await storyOf(it, given.id), ['build retried', 'build infrastructure_fail', 'failed'])
      const stored = await findWorkflow(it.world.db, given.id)
      assert.equal(
        stored?.jobs.at(-1)?.reason,
        'The agent that ran this job was lost: nothing was heard of it for 60 seconds',
      )
      assert.equal(await queueLength(it.world.db), 0)
    })

    test('a canceled job whose agent is lost stays canceled and is not tried again', async () => {
      await using it = await smallWorld(database)
      const { held, given, id } = await running1(it)
      await reportSteps(it.app, held.lease, [running])
      it.rung.length = 0
      await cancelWorkflow(it.world, ada, given.id)
      assert.ok(it.rung.includes(`agent:${id}`))
      assert.deepEqual(await cancellationsFor(it.world, id), [hold(held)])
      it.wait(it.world.terms.leaseMs + 1)
      assert.equal(await reclaim(it.world), 1)
      assert.deepEqual(await storyOf(it, given.id), ['build canceled', 'canceled'])
      assert.deepEqual(await cancellationsFor(it.world, id), [])
      assert.deepEqual(
        (await stepsOf(it.world.db, held.job.id)).map(({ status }) => status),
        ['canceled'],
      )
    })

    test('an agent is told which of its jobs it has lost and which it must stop', async () => {
      await using it = await smallWorld(database)
      const { held, id, given } = await running1(it)
      await cancelWorkflow(it.world, ada, given.id)
      const stranger = { job: 'no-such-job' as JobId, fence: 1 }
      const older = { ...hold(held), fence: 0 }
      assert.deepEqual(await renew(it.world, id, [hold(held), stranger, older]), {
        isNews: true,
        cancel: [hold(held)],
        lost: [stranger, older],
      })
    })

    test('a server that comes back gives every agent the time of a lease, and takes every job for begun', async () => {
      await using it = await smallWorld(database)
      const { held, given } = await running1(it)
      it.wait(it.world.terms.leaseMs * 10)
      await resumeLeases(it.world)
      assert.equal(await reclaim(it.world), 0)
      it.wait(it.world.terms.leaseMs + 1)
      assert.equal(await reclaim(it.world), 1)
      assert.equal((await storyOf(it, given.id)).includes('build retried'), true, held.job.name)
    })

    test('an agent cannot renew what another one holds', async () => {
      await using it = await smallWorld(database)
      const { held } = await running1(it)
      const other = await givenAgent(it)
      assert.deepEqual(await renew(it.world, other.id as AgentId, [hold(held)]), {
        isNews: false,
        cancel: [],
        lost: [hold(held)],
      })
    })

    test('an agent that comes back too late can write neither log nor steps nor an end into the job', async () => {
      await using it = await smallWorld(database)
      const { held, given, agent, id } = await running1(it)
      it.wait(it.world.terms.acceptMs + 1)
      await reclaim(it.world)
      const [again] = await claim(it, agent)
      assert.equal(again?.job.id, held.job.id)
      await assert.rejects(say(it, held, 'late'), { code: 'unauthenticated' })
      await assert.rejects(reportSteps(it.app, held.lease, [running]), { code: 'unauthenticated' })
      await assert.rejects(end(it, held), { code: 'conflict' })
      assert.deepEqual((await renew(it.world, id, [hold(held)])).lost, [hold(held)])
      assert.deepEqual(await stepsOf(it.world.db, held.job.id), [])
      assert.deepEqual(await storyOf(it, given.id), ['build running', 'running'])
      await assert.rejects(it.app.callers.find(held.token), { code: 'unauthenticated' })
      assert.equal((await it.app.callers.find(again?.token)).kind, 'job')
    })

    test('the log of a lost job has an end: whoever follows it is let go, and it is packed', async () => {
      await using it = await smallWorld(database)
      const { held } = await running1(it)
      await say(it, held, 'hello')
      const followed = Array.fromAsync(followLog(it.world, held.job.id, 0, 0, AbortSignal.timeout(120_000)))
      it.wait(it.world.terms.leaseMs + 1)
      await reclaim(it.world)
      assert.deepEqual((await followed).at(-1), { end: 5 })
      assert.deepEqual(
        (await stepsOf(it.world.db, held.job.id)).map(({ status, log_state }) => [status, log_state]),
        [['infrastructure_fail', 'whole']],
      )
      assert.equal(await packSome(it.app), true)
    })

    test('jobs that end at the moment in which they are taken back end once', { timeout: 300_000 }, async () => {
      await using it = await smallWorld(database)
      await givenProject(it)
      const given = await Promise.all(Array.from({ length: 10 }, () => givenWorkflow(it, 'a', 'b', 'c', 'd')))
      const held = await claim(it, await givenAgent(it), 40)
      for (const { lease } of held) await reportSteps(it.app, lease, [running])
      it.wait(it.world.terms.leaseMs + 1)
      const endings = held.map((one) =>
        end(it, one).catch((error: unknown) => assert.equal((error as { code?: string }).code, 'conflict')),
      )
      await Promise.all([reclaim(it.world), ...endings, reclaim(it.world)])
      for (const { id } of given) {
        const states = (await storyOf(it, id)).slice(0, -1).map((line) => line.split(' ')[1])
        assert.deepEqual(
          states.filter((state) => state !== 'success' && state !== 'retried' && state !== 'queued'),
          [],
        )
        assert.equal(
          states.filter((state) => state === 'retried').length,
          states.filter((state) => state === 'queued').length,
        )
      }
    })
  })
}
