import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { pause } from '#kit/backoff.ts'
import { dice } from './dice.ts'
import type { Network, Weather } from './network.ts'
import { makeProject, story } from './project.ts'
import { scenario } from './scenario.ts'
import { until } from './until.ts'
import { assertOnce, assertWhole } from './whole.ts'
import { configOf, makeWitness, type Plan } from './work.ts'

/** Steps that print, beside steps that carry files to the server and back. */
const plan: Plan = {
  make: {
    work: [
      { name: 'print', lines: 60, waitMs: 30 },
      { name: 'bulk', bulk: 60_000 },
    ],
    then: [
      'checkout: { path: code }',
      'run: mkdir big && head -c 5M /dev/urandom > big/random && sha256sum big/random > big/sums',
      'save_cache: { key: one, paths: [big] }',
      'persist_to_workspace: { root: ., paths: [big/sums] }',
      'store_artifacts: { path: big }',
    ],
  },
  use: {
    needs: ['make'],
    work: [{ name: 'print', lines: 20, waitMs: 30 }],
    then: ['attach_workspace: { at: . }', 'restore_cache: { key: one }', 'run: sha256sum -c big/sums'],
  },
}

/** All bad weather that there is, each for a moment, with a fair moment after it, until something is over. */
async function storm(network: Network, isOver: () => boolean): Promise<void> {
  const roll = dice(21)
  const bad: readonly Weather[] = [
    { type: 'torn', afterBytes: 900 },
    { type: 'deaf' },
    { type: 'slow', ms: 120 },
    { type: 'torn', afterBytes: 150_000 },
    { type: 'dead' },
    { type: 'closed' },
  ]
  for (let round = 0; !isOver() && round < 40; round++) {
    network.weather(bad[round % bad.length]!)
    await pause(roll(200, 900))
    network.weather({ type: 'fair' })
    // What stood still has no way to know that it could go on.
    network.cut()
    await pause(roll(300, 900))
  }
}

describe('a bad network', { concurrency: true }, () => {
  scenario('between agent and server costs time, no byte, and nothing is done twice', async (stage) => {
    const witness = makeWitness(stage.folder)
    const network = await stage.network()
    // Checkouts go the same way.
    const house = await stage.house({ ACCEPT_SECONDS: '3', BASE_URL: network.url })
    network.lead(house.url)
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(plan, witness))
    const worker = await stage.worker(house, 'worker', 2, network.url)
    worker.start()
    const { id } = await project.trigger()
    let over = false
    const ended = project.ended(id).finally(() => (over = true))
    const [run] = await Promise.all([ended, storm(network, () => over)])
    await assertWhole(project, plan, run)
    await assertOnce(project, plan, witness)
    assert.ok(network.broken() > 10, 'The network must have been bad')
  })

  scenario('for longer than a lease ends the job at its agent, which is fenced off', async (stage) => {
    const long: Plan = { only: { work: [{ name: 'long', lines: 20, waitMs: 30, until: 'second-attempt' }] } }
    const witness = makeWitness(stage.folder)
    const network = await stage.network()
    const house = await stage.house({ LEASE_SECONDS: '15', ACCEPT_SECONDS: '15' })
    network.lead(house.url)
    await house.start()
    const project = await makeProject(house, stage.folder, configOf(long, witness))
    const [cut, other] = [await stage.worker(house, 'cut', 1, network.url), await stage.worker(house, 'other', 1)]
    cut.start()
    const { id } = await project.trigger()
    await until('the step has begun', () => (witness.runs().length > 0 ? true : undefined))
    network.weather({ type: 'dead' })
    await until('the agent has stopped the step by itself', () => cut.hasStopped() || undefined)
    await project.takenBack(id)
    other.start()
    const run = await project.ended(id)
    assert.deepEqual(run.jobs.map(({ status }) => status).toSorted(), ['retried', 'success'], story([run]))
    network.weather({ type: 'fair' })
    network.cut()
    await until('the agent has given up its job', () => (cut.jobs() === 0 ? true : undefined))
    assert.deepEqual(witness.ends(), ['3 only long'], 'Only the second attempt may have come to its end')
  })
})
