import { describe } from 'node:test'
import { pause } from '#kit/backoff.ts'
import { dice } from './dice.ts'
import { makeProject, type Project, type Run } from './project.ts'
import { scenario, type Stage } from './scenario.ts'
import { until } from './until.ts'
import { assertOnce, assertTold, assertWhole } from './whole.ts'
import { configOf, diamond, makeWitness, type Plan } from './work.ts'

const plan: Plan = { only: { work: [{ name: 'short', lines: 3, waitMs: 10 }] } }

async function prepare(stage: Stage) {
  const house = await stage.house()
  await house.start()
  const receiver = await stage.receiver()
  const project = await makeProject(house, stage.folder, configOf(plan, makeWitness(stage.folder)))
  await project.hook(receiver)
  const worker = await stage.worker(house)
  worker.start()
  return { house, receiver, project }
}

describe('a killed server', { concurrency: true }, () => {
  scenario('loses nothing of what runs, and does nothing twice', async (stage) => {
    const roll = dice(1)
    const witness = makeWitness(stage.folder)
    const house = await stage.house()
    await house.start()
    const receiver = await stage.receiver()
    const project = await makeProject(house, stage.folder, configOf(diamond, witness))
    await project.hook(receiver)
    const worker = await stage.worker(house)
    worker.start()
    const runs: Run[] = []
    for (const kills of [1, 1, 2, 3]) {
      const { id } = await project.trigger()
      for (let kill = 0; kill < kills; kill++) {
        await pause(roll(0, 3000 / kills))
        await house.kill()
        await house.start()
      }
      const run = await project.ended(id)
      await assertWhole(project, diamond, run)
      runs.push(run)
    }
    await assertOnce(project, diamond, witness)
    await assertTold(receiver, runs)
    for (const run of runs) await assertWhole(project, diamond, run)
  })

  scenario('what a receiver never answered is told again after a crash, under the same id', async (stage) => {
    const { house, receiver, project } = await prepare(stage)
    receiver.answer('hang')
    const { id } = await project.trigger()
    await until('the receiver was told of both ends', () => (receiver.told.length >= 2 ? true : undefined))
    await house.kill()
    const before = receiver.told.length
    receiver.answer('take')
    await house.start()
    const run = await project.ended(id)
    await until(
      'the receiver was told again of both ends',
      () => (receiver.told.length >= before + 2 ? true : undefined),
      200_000,
    )
    await assertTold(receiver, [run])
  })

  scenario('what happened just before a crash is told after it', async (stage) => {
    const { house, receiver, project } = await prepare(stage)
    for (let round = 0; round < 3; round++) {
      const { id } = await project.trigger()
      await until('the workflow has ended', async () => (await project.runsOf(id))[0]?.workflow.stopped_at ?? undefined)
      await house.kill()
      await house.start()
      await assertTold(receiver, await all(project))
    }
  })
})

const all = async (project: Project) =>
  (await Promise.all((await project.pipelines()).map(({ id }) => project.runsOf(id)))).flat()
