import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { pause } from '#kit/backoff.ts'
import { makeProject, story } from './project.ts'
import { scenario, type Stage } from './scenario.ts'
import { until } from './until.ts'
import { assertLogs, assertOnce, assertWhole } from './whole.ts'
import { configOf, makeWitness, type Plan } from './work.ts'

const plan: Plan = { only: { work: [{ name: 'long', lines: 100, waitMs: 50 }] } }
/** It must not end by itself before its lease does. */
const lasting: Plan = { only: { work: [{ name: 'long', lines: 20, waitMs: 30, until: 'second-attempt' }] } }

/** Jobs must be spoken of within this time, and the outages are longer. */
const acceptSeconds = 3
const outageMs = acceptSeconds * 1000 + 500

/** A job whose step has just begun. */
async function begin(
  stage: Stage,
  settings: Readonly<Record<string, string>> = { ACCEPT_SECONDS: String(acceptSeconds) },
  work = plan,
) {
  const witness = makeWitness(stage.folder)
  const house = await stage.house(settings)
  await house.start()
  const project = await makeProject(house, stage.folder, configOf(work, witness))
  const worker = await stage.worker(house)
  worker.start()
  const { id } = await project.trigger()
  await until('the step has begun', () => (witness.runs().length > 0 ? true : undefined))
  return { house, project, witness, worker, id }
}

describe('an outage of the server', { concurrency: true }, () => {
  scenario('does not take a job from its agent where the lease is longer', async (stage) => {
    const { house, project, witness, id } = await begin(stage)
    const [job] = await until('the job goes on', async () => {
      const jobs = (await project.runsOf(id))[0]?.jobs ?? []
      return jobs[0] && (await project.page(jobs[0].id)).steps[0]!.log_size > 300 ? jobs : undefined
    })
    await house.kill()
    // The outage itself, not a wait for anything.
    await pause(outageMs)
    await house.start()
    const run = await project.ended(id)
    assert.deepEqual(
      run.jobs.map((each) => each.id),
      [job?.id],
      'The job must have stayed the one that it was',
    )
    await assertWhole(project, plan, run)
    await assertOnce(project, plan, witness)
  })

  scenario('for longer than a lease stops the job, and it is done again where everybody can see it', async (stage) => {
    const { house, project, witness, worker, id } = await begin(
      stage,
      { LEASE_SECONDS: '30', ACCEPT_SECONDS: '30' },
      lasting,
    )
    await house.kill()
    await until('the agent has stopped the job by itself', () => worker.hasStopped() || undefined)
    await house.start()
    const run = await project.ended(id)
    assert.deepEqual(run.jobs.map(({ status }) => status).toSorted(), ['retried', 'success'], story([run]))
    assert.deepEqual(witness.runs(), ['2 only long', '3 only long'])
    assert.deepEqual(witness.ends(), ['3 only long'])
    await assertLogs(
      project,
      lasting,
      run.jobs.find(({ status }) => status === 'success')!,
    )
  })

  scenario('right after a job was handed out never makes it run twice without being told', async (stage) => {
    const { house, project, witness, id } = await begin(stage)
    await house.kill()
    await pause(outageMs)
    await house.start()
    const run = await project.ended(id)
    assert.equal(run.workflow.status, 'success', `The job must have succeeded in the end: ${story([run])}`)
    await assertOnce(project, plan, witness)
  })

  scenario('does not fail a job that wants to check out meanwhile', async (stage) => {
    const plan: Plan = { only: { work: [{ name: 'before', lines: 20, waitMs: 30 }], checkout: 'last' } }
    const witness = makeWitness(stage.folder)
    const house = await stage.house()
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(plan, witness))
    const worker = await stage.worker(house)
    worker.start()
    const { id } = await project.trigger()
    await until('the step before the checkout has begun', () => (witness.runs().length > 0 ? true : undefined))
    await house.kill()
    await until('the checkout is due', () => (witness.ends().length > 0 ? true : undefined))
    await house.start()
    const run = await project.ended(id)
    assert.equal(
      run.workflow.status,
      'success',
      `The checkout must have waited for the server:\n${await project.log(run.jobs[0]!.id, 1)}`,
    )
  })

  scenario('during its first start is mended by the next one', async (stage) => {
    const house = await stage.house()
    for (const ms of [150, 350, 550, 750, 1000]) {
      const starting = house.start().catch(() => undefined)
      await pause(ms)
      await house.kill()
      await starting
    }
    await house.start()
  })

  scenario('leaves no agent of its own behind for good', async (stage) => {
    const plan: Plan = { only: { work: [{ name: 'short', lines: 20, waitMs: 30 }] } }
    const witness = makeWitness(stage.folder)
    const house = await stage.house({ AGENT_SLOTS: '1', DRAIN_SECONDS: '5' })
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(plan, witness))
    const { id } = await project.trigger()
    await until('the step has begun', () => (witness.runs().length > 0 ? true : undefined))
    await house.kill()
    await house.start()
    await assertWhole(project, plan, await project.ended(id))
    await assertWhole(project, plan, await project.ended((await project.trigger()).id))
    await assertOnce(project, plan, witness)
    assert.deepEqual(await house.terminate(), { code: 0, signal: null })
    assert.deepEqual(
      house.builtInAgents(),
      [],
      'An agent of a server that has ended is still there, and would go on to take jobs',
    )
  })
})
