import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { listAgents, setAgentMode } from '#contract/rh/agents.ts'
import type { House } from './house.ts'
import { makeProject, type Project, type Run } from './project.ts'
import { scenario, type Stage } from './scenario.ts'
import { silentAgent } from './silent-agent.ts'
import { until } from './until.ts'
import { assertDense, assertLogs } from './whole.ts'
import { configOf, firstJob, makeWitness, type Plan, type Witness } from './work.ts'

const quick = { name: 'quick', lines: 1, waitMs: 0 }
const long = { name: 'long', lines: 20, waitMs: 30 }
const plain: Plan = { only: { work: [quick, long] } }
/** It must not end by itself before its agent is found missing, and be over soon when it is done again. */
const plan: Plan = { only: { work: [quick, { ...long, until: 'second-attempt' }] } }

interface Lost {
  readonly house: House
  readonly project: Project
  readonly witness: Witness
}

/** Leases of which a machine that stands still for ten seconds costs none. */
const leases = { LEASE_SECONDS: '15', ACCEPT_SECONDS: '15' }

async function prepare(stage: Stage, settings: Readonly<Record<string, string>> = leases, work = plan): Promise<Lost> {
  const witness = makeWitness(stage.folder)
  const house = await stage.house(settings)
  await house.start()
  return { house, witness, project: await makeProject(house, stage.folder, configOf(work, witness)) }
}

/** Waits until the server has heard something of the long step. */
async function longStepBegan(project: Project, pipeline: string): Promise<string> {
  return until('the long step has begun', async () => {
    const job = (await project.runsOf(pipeline))[0]?.jobs[0]
    if (!job) return undefined
    const { steps } = await project.page(job.id)
    return (steps[1]?.log_size ?? 0) > 0 ? job.id : undefined
  })
}

/** The one job was retried, in the same workflow: both attempts are shown, and the second is whole. */
async function assertRetried(project: Project, run: Run): Promise<void> {
  assert.deepEqual(
    run.jobs.toSorted((a, b) => (a.job_number ?? 0) - (b.job_number ?? 0)).map(({ status }) => status),
    ['retried', 'success'],
    'A job that was lost with its agent must be shown as retried, beside the attempt that succeeded',
  )
  assert.equal(run.workflow.status, 'success')
  const second = run.jobs.find(({ status }) => status === 'success')
  assert.ok(second)
  await assertLogs(project, plan, second)
  assertDense(
    run.jobs.map(({ job_number }) => job_number ?? 0),
    'jobs',
    firstJob,
  )
}

describe('a lost agent', { concurrency: true }, () => {
  scenario('a job whose agent is gone for good is shown as retried, and its second attempt succeeds', async (stage) => {
    const { house, project, witness } = await prepare(stage)
    const [lost, other] = [await stage.worker(house, 'lost', 1), await stage.worker(house, 'other', 1)]
    lost.start()
    const { id } = await project.trigger()
    await longStepBegan(project, id)
    await lost.kill()
    await project.takenBack(id)
    other.start()
    await assertRetried(project, await project.ended(id))
    assert.deepEqual(
      witness.runs().toSorted(),
      ['2 only long', '2 only quick', '3 only long', '3 only quick'],
      'Each attempt must have run once',
    )
  })

  scenario(
    'a job whose agent is killed when its first step begins does not run twice without being told',
    async (stage) => {
      const { house, project, witness } = await prepare(stage)
      const [lost, other] = [await stage.worker(house, 'lost', 1), await stage.worker(house, 'other', 1)]
      lost.start()
      const { id } = await project.trigger()
      await until('the first step has begun', () => (witness.runs().length > 0 ? true : undefined), 180_000, 2)
      await lost.kill()
      await project.takenBack(id)
      other.start()
      await assertRetried(project, await project.ended(id))
    },
  )

  scenario('a job that was handed to an agent which never spoke of it runs once, and nobody notices', async (stage) => {
    const { house, project, witness } = await prepare(stage, { ACCEPT_SECONDS: '15' }, plain)
    const { claimed } = await silentAgent(house)
    const { id } = await project.trigger()
    assert.equal(await claimed, 1, 'The silent agent must have been given the job')
    const other = await stage.worker(house, 'other', 1)
    other.start()
    const run = await project.ended(id)
    assert.deepEqual(
      run.jobs.map(({ job_number, status }) => `${job_number} ${status}`),
      ['2 success'],
      'A job that never began must not show a second attempt',
    )
    await assertLogs(project, plain, run.jobs[0]!)
    assert.deepEqual(witness.runs(), ['2 only quick', '2 only long'])
  })

  scenario('an agent that sleeps beyond its lease is fenced off and stops its job by itself', async (stage) => {
    const { house, project, witness } = await prepare(stage)
    const [sleeper, other] = [await stage.worker(house, 'sleeper', 1), await stage.worker(house, 'other', 1)]
    sleeper.start()
    const { id } = await project.trigger()
    const first = await longStepBegan(project, id)
    sleeper.send('SIGSTOP')
    await until('the job is taken back', async () =>
      (await project.page(first)).status === 'retried' ? true : undefined,
    )
    const kept = await project.log(first, 1)
    // What is done again is for the other one.
    const { items } = await house.rh(listAgents, { query: {} })
    const asleep = items.find(({ name }) => name === 'sleeper')?.id ?? ''
    await house.rh(setAgentMode, { params: { id: asleep }, body: { mode: 'paused' } })
    sleeper.send('SIGCONT')
    await until('the sleeper has given up its job', () => (sleeper.jobs() === 0 ? true : undefined))
    await project.takenBack(id)
    other.start()
    await assertRetried(project, await project.ended(id))
    assert.equal(await project.log(first, 1), kept, 'What was written after the lease had ended must be refused')
    assert.deepEqual(
      witness.ends().toSorted(),
      ['2 only quick', '3 only long', '3 only quick'],
      'The sleeper must have stopped its step when it woke up',
    )
  })
})
