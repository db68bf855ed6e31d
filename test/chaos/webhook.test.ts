import { describe } from 'node:test'
import { makeProject, type Project } from './project.ts'
import { scenario, type Stage } from './scenario.ts'
import { until } from './until.ts'
import { assertTold } from './whole.ts'
import { configOf, makeWitness, type Plan } from './work.ts'

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

describe('webhooks', { concurrency: true }, () => {
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
      80_000,
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
