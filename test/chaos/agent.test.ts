import { describe } from 'node:test'
import { pause } from '#kit/backoff.ts'
import { dice } from './dice.ts'
import { makeProject } from './project.ts'
import { scenario } from './scenario.ts'
import { assertOnce, assertWhole } from './whole.ts'
import { configOf, diamond, makeWitness } from './work.ts'

describe('killing agents', { concurrency: true }, () => {
  scenario('an agent that is killed while jobs run goes on with them when it comes back', async (stage) => {
    const roll = dice(2)
    const witness = makeWitness(stage.folder)
    const house = await stage.house()
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(diamond, witness))
    const worker = await stage.worker(house)
    worker.start()
    for (const kills of [1, 2, 4]) {
      const { id } = await project.trigger()
      for (let kill = 0; kill < kills; kill++) {
        await pause(roll(100, 2500 / kills))
        await worker.kill()
        worker.start()
      }
      await assertWhole(project, diamond, await project.ended(id))
    }
    await assertOnce(project, diamond, witness)
  })

  scenario('server and agent that are killed together lose nothing, whichever comes back first', async (stage) => {
    const roll = dice(3)
    const witness = makeWitness(stage.folder)
    const house = await stage.house()
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(diamond, witness))
    const worker = await stage.worker(house)
    worker.start()
    for (const first of ['server', 'agent', 'server', 'agent']) {
      const { id } = await project.trigger()
      await pause(roll(100, 2500))
      await Promise.all([house.kill(), worker.kill()])
      if (first === 'agent') worker.start()
      await house.start()
      if (first === 'server') worker.start()
      await assertWhole(project, diamond, await project.ended(id))
    }
    await assertOnce(project, diamond, witness)
  })

  scenario('server and built-in agent that are killed as one group lose nothing', async (stage) => {
    const roll = dice(10)
    const witness = makeWitness(stage.folder)
    const house = await stage.house({ AGENT_SLOTS: '2' })
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(diamond, witness))
    for (const kills of [1, 2]) {
      const { id } = await project.trigger()
      for (let kill = 0; kill < kills; kill++) {
        await pause(roll(100, 3000 / kills))
        await house.killGroup()
        await house.start()
      }
      await assertWhole(project, diamond, await project.ended(id))
    }
    await assertOnce(project, diamond, witness)
  })
})
