import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { writePending } from '#test/pending-deliveries.ts'
import { makeProject } from './project.ts'
import { scenario } from './scenario.ts'
import { until } from './until.ts'
import { configOf, makeWitness, type Plan } from './work.ts'

const plan: Plan = { only: { work: [{ name: 'short', lines: 1, waitMs: 1 }] } }
const count = 10_000

describe('deliveries', () => {
  scenario(
    'ten thousand that wait are all made, however often the server is killed, and few of them twice',
    async (stage) => {
      const house = await stage.house()
      await house.start()
      const receiver = await stage.receiver()
      const project = await makeProject(house, stage.folder, configOf(plan, makeWitness(stage.folder)))
      await project.hook(receiver)
      await house.terminate()
      const bodyOf = (id: string) => JSON.stringify({ type: 'job-completed', id, workflow: { id } })
      const { origin } = new URL(receiver.url)
      const events = writePending(house.folder, { origin, webhooks: 50, count, bodyOf })
      const kills = [500, 3_000, 7_000]
      for (const seen of kills) {
        await house.start()
        await until(`${seen} were told`, () => (receiver.told.length >= seen ? true : undefined))
        await house.kill()
      }
      await house.start()
      const distinct = () => new Set(receiver.told.map(({ id }) => id))
      await until('all were told', () => (distinct().size >= count ? true : undefined), 400_000)
      assert.deepEqual(distinct(), new Set(events))
      // At most what was underway at each kill: 32 lanes, each with as much as is sent in one go.
      const twice = receiver.told.length - count
      assert.ok(twice <= kills.length * 32 * 64, `${twice} were told twice`)
      await until('none waits', async () => {
        const metrics = await (await fetch(`${house.url}/metrics`)).text()
        return /^roundhouse_deliveries_pending 0$/m.test(metrics) || undefined
      })
    },
    500_000,
  )
})
