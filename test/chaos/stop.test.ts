import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { listAgents } from '#contract/rh/agents.ts'
import type { House } from './house.ts'
import { makeProject, type Project } from './project.ts'
import { scenario } from './scenario.ts'
import { until } from './until.ts'
import { assertOnce, assertWhole } from './whole.ts'
import { configOf, makeWitness, type Plan } from './work.ts'

const plan: Plan = { only: { work: [{ name: 'long', lines: 5, waitMs: 30, until: 'let-go' }] } }

/** What a stop may take beside its drain: the machine may be busy, and the job goes on for longer than that. */
const littleMs = 180_000

const begun = (project: Project, pipeline: string) =>
  until('the job is running', async () => {
    const job = (await project.runsOf(pipeline))[0]?.jobs[0]
    return job?.status === 'running' && (await project.page(job.id)).steps[0]?.status === 'running' ? true : undefined
  })

const draining = (house: House) =>
  until('the agent takes no more jobs', async () => {
    const { items } = await house.rh(listAgents, { query: {} })
    return items.some(({ state }) => state === 'draining') || undefined
  })

describe('stopping', { concurrency: true }, () => {
  scenario('a server that is asked to stop lets its running job end, begins no other, and ends well', async (stage) => {
    const witness = makeWitness(stage.folder)
    const house = await stage.house({ AGENT_SLOTS: '1', DRAIN_SECONDS: '400' })
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(plan, witness))
    const [running, waiting] = [await project.trigger(), await project.trigger()]
    await begun(project, running.id)
    const ended = house.terminate()
    await draining(house)
    witness.letGo()
    assert.deepEqual(await ended, { code: 0, signal: null }, 'A stop that was asked for must end with code 0')
    assert.deepEqual(witness.ends().length, 1, 'The running job must have ended before the server did')
    assert.deepEqual(witness.runs().length, 1, 'No job may begin in a server that stops')
    await house.start()
    for (const { id } of [running, waiting]) await assertWhole(project, plan, await project.ended(id))
    await assertOnce(project, plan, witness)
  })

  scenario('a job that takes longer than the drain goes on, and is found by the next start', async (stage) => {
    const witness = makeWitness(stage.folder)
    const house = await stage.house({ AGENT_SLOTS: '1', DRAIN_SECONDS: '1' })
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(plan, witness))
    const { id } = await project.trigger()
    await begun(project, id)
    const asked = Date.now()
    assert.deepEqual(
      await house.terminate(),
      { code: 0, signal: null },
      'A stop that was asked for must end with code 0',
    )
    const took = Date.now() - asked
    assert.ok(took < 1_000 + littleMs, `A stop must not take longer than its drain: it took ${took} ms`)
    await house.start()
    witness.letGo()
    await assertWhole(project, plan, await project.ended(id))
    await assertOnce(project, plan, witness)
  })

  scenario('an agent elsewhere works on while the server is stopped and started', async (stage) => {
    const witness = makeWitness(stage.folder)
    const house = await stage.house({ DRAIN_SECONDS: '1' })
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(plan, witness))
    const worker = await stage.worker(house, 'worker', 2)
    worker.start()
    const { id } = await project.trigger()
    await begun(project, id)
    const asked = Date.now()
    assert.deepEqual(
      await house.terminate(),
      { code: 0, signal: null },
      'Agents that wait for jobs must not keep a server from ending well',
    )
    const took = Date.now() - asked
    assert.ok(took < 1_000 + littleMs, `A stop must not wait for agents elsewhere: it took ${took} ms`)
    await house.start()
    witness.letGo()
    await assertWhole(project, plan, await project.ended(id))
    await assertOnce(project, plan, witness)
  })

  scenario('an agent that is asked to stop ends its job, takes no other, and ends well', async (stage) => {
    const witness = makeWitness(stage.folder)
    const house = await stage.house()
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(plan, witness))
    const worker = await stage.worker(house, 'worker', 1)
    worker.start()
    const [running, waiting] = [await project.trigger(), await project.trigger()]
    await begun(project, running.id)
    worker.send('SIGTERM')
    await draining(house)
    witness.letGo()
    assert.deepEqual(
      await worker.ended(),
      { code: 0, signal: null },
      'An agent that was asked to stop must end with code 0',
    )
    assert.deepEqual(witness.ends().length, 1, 'The agent must have ended its job')
    await assertWhole(project, plan, await project.ended(running.id))
    worker.start()
    await assertWhole(project, plan, await project.ended(waiting.id))
    await assertOnce(project, plan, witness)
  })
})
