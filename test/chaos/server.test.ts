import { pause } from '#kit/backoff.ts'
import { dice } from './dice.ts'
import { makeProject, type Run } from './project.ts'
import { scenario } from './scenario.ts'
import { assertOnce, assertTold, assertWhole } from './whole.ts'
import { configOf, diamond, makeWitness } from './work.ts'

scenario('a server that is killed while jobs run loses nothing and does nothing twice', async (stage) => {
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
