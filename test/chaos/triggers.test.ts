import assert from 'node:assert/strict'
import { pause } from '#kit/backoff.ts'
import { dice } from './dice.ts'
import { makeProject, type Project } from './project.ts'
import { scenario } from './scenario.ts'
import { isTransport } from './until.ts'
import { assertOnce } from './whole.ts'
import { configOf, makeWitness, type Plan } from './work.ts'

const plan: Plan = { only: { work: [{ name: 'short', lines: 2, waitMs: 0 }] } }
const rounds = 2

/** Triggers 30 pipelines, five at a time; gives those that were answered before the server went away. */
async function triggerMany(project: Project): Promise<readonly string[]> {
  const answered: string[] = []
  let left = 30
  async function some(): Promise<void> {
    while (left-- > 0) {
      try {
        answered.push((await project.trigger()).id)
      } catch (error) {
        if (!isTransport(error)) throw error
        return
      }
    }
  }
  await Promise.all(Array.from({ length: 5 }, some))
  return answered
}

scenario('a pipeline whose trigger was answered is there after a crash, and runs', async (stage) => {
  const roll = dice(8)
  const witness = makeWitness(stage.folder)
  const house = await stage.house()
  await house.start()
  const project = await makeProject(house, stage.folder, configOf(plan, witness))
  const worker = await stage.worker(house, 'worker', 4)
  worker.start()
  for (let round = 0; round < rounds; round++) {
    const triggering = triggerMany(project)
    await pause(roll(30, 250))
    await house.kill()
    const answered = await triggering
    await house.start()
    const present = new Set((await project.pipelines()).map(({ id }) => id))
    assert.deepEqual(
      answered.filter((id) => !present.has(id)),
      [],
      'Pipelines were answered with 201 and are gone',
    )
  }
  for (const { id } of await project.pipelines()) assert.equal((await project.ended(id)).workflow.status, 'success')
  await assertOnce(project, plan, witness)
})
