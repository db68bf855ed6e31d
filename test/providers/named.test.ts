import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setPolling } from '#contract/rh/polling.ts'
import { updateProjectSettings } from '#contract/v2/project-settings.ts'
import type { PipelineId } from '#core/ids.ts'
import { poll, takePolls } from '#server/app/polls.ts'
import { processBatch, takeBatches } from '#server/app/process-hooks.ts'
import { processPipeline } from '#server/app/process-pipeline.ts'
import { cancelRedundant } from '#server/app/redundant.ts'
import { projectBySlug } from '#server/store/projects.ts'
import { databases } from '#test/world.ts'
import { type House, openHouse } from './house.ts'
import { hooksOf, type Move } from './push-hooks.ts'
import { sendHook } from './signed.ts'

const signal = new AbortController().signal

/** A house in which nothing happens by itself: hooks are processed and repositories looked at when a test says so. */
async function openStill(options: Parameters<typeof openHouse>[1]) {
  const house = await openHouse('provider-a', options)
  await house.service.rest()
  const { app, world, clock } = house.service
  // Whoever looked while the house was opened may have been stopped in the middle.
  await house.service.call(setPolling, { params: house.slug, body: { every_seconds: 3600 } })
  const polls = () => world.db.selectFrom('polls').selectAll().executeTakeFirstOrThrow()
  return {
    house,
    /** Sends a hook, which is not processed yet. */
    send: async (event: string, body: string) =>
      assert.equal(await sendHook(house.service, house.receiver, 'provider-a', event, body), 202),
    /** Processes what is due after some time; says what came of each hook so far. */
    async process(afterMs = 0): Promise<readonly string[]> {
      clock.aheadMs += afterMs
      const { batches } = await takeBatches(world, 100)
      for (const batch of batches) await processBatch(app, batch, signal)
      return (await house.outcomes()).map(({ state, outcome }) => `${state}: ${outcome}`)
    },
    /** Looks at the repository as the poll does, after some time; says whether it was due. */
    async look(afterMs = 0): Promise<boolean> {
      clock.aheadMs += afterMs
      const taken = await takePolls(world, 1)
      for (const row of taken) await poll(app, row, signal)
      return taken.length > 0
    },
    /** In how many milliseconds the repository is looked at next. */
    restMs: async () => Date.parse((await polls()).next_at) - Date.parse(world.now()),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  }
}

const takeAfter = ({ house: { service } }: Awaited<ReturnType<typeof openStill>>, ms: number) => {
  service.clock.aheadMs += ms
  return takePolls(service.world, 1)
}

const pushed = (...moves: readonly Move[]) => hooksOf('provider-a', moves)[0] as readonly [string, string]
const ref = 'refs/heads/main'

const revisions = async ({ service }: House) =>
  (await service.world.db.selectFrom('pipelines').select('revision').orderBy('number').execute()).map(
    (row) => row.revision,
  )

for (const database of databases) {
  describe(`commits that hooks name on ${database}`, () => {
    test('are built though a poll was quicker and saw only the newest; told again, they are not', async () => {
      await using it = await openStill({ database })
      const { house } = it
      assert.ok(await it.look())
      const [a, b, c] = [
        await house.clone.commit('A', {}),
        await house.clone.commit('B', {}),
        await house.clone.commit('C', {}),
      ]
      await house.push('main')
      assert.ok(await it.look(3_601_000))
      assert.deepEqual(await revisions(house), [c])
      for (const to of [c, b, a, b]) await it.send(...pushed({ ref, to }))
      assert.deepEqual(new Set(await it.process()), new Set(['done: pipelines 2, 3']))
      assert.deepEqual(await revisions(house), [c, b, a])
      for (const to of [a, b, c]) await it.send(...pushed({ ref, to }))
      assert.deepEqual((await it.process()).slice(-3), Array(3).fill('done: nothing to build'))
      assert.ok(await it.look(3_601_000))
      assert.deepEqual(await revisions(house), [c, b, a])
    })

    test('are looked for again where the repository does not show them yet, and then given up', async () => {
      await using it = await openStill({ database })
      const { house } = it
      assert.ok(await it.look())
      const before = await house.clone.revision('HEAD')
      const to = await house.clone.commit('Late', {})
      await it.send(...pushed({ ref, from: before, to }))
      const yet = `pending: nothing to build: commit ${to} of ${ref} is not in the repository yet`
      assert.deepEqual(await it.process(), [yet])
      await house.push('main')
      assert.deepEqual(await it.process(10_000), ['done: pipelines 1'])
      assert.deepEqual(await revisions(house), [to])
      const never = 'd'.repeat(40)
      await it.send(...pushed({ ref, from: to, to: never }))
      await it.process()
      await it.process(10_000)
      assert.ok((await it.restMs()) > 1_800_000)
      const told = `done: nothing to build: commit ${never} of ${ref} is not in the repository`
      assert.equal((await it.process(10_000)).at(-1), told)
      assert.ok((await it.restMs()) <= 5_000)
    })

    test('that cannot be made sense of let the repository be looked at soon', async () => {
      await using it = await openStill({ database })
      assert.ok(await it.look())
      assert.ok((await it.restMs()) > 1_800_000)
      await it.send('push', '{"ref":1}')
      assert.match((await it.process())[0] ?? '', /^failed: Cannot read the hook/)
      assert.ok((await it.restMs()) <= 5_000)
      await it.house.clone.commit('Moved', {})
      await it.house.push('main')
      assert.ok(await it.look(5_000))
      assert.deepEqual(await it.house.pipelines(), ['1 main trusted'])
    })

    test('are built again where a branch was forced back to them before anybody looked; told again, they are not', async () => {
      await using it = await openStill({ database, terms: { source: 'provider' } })
      const { house } = it
      assert.ok(await it.look())
      const start = await house.clone.revision('HEAD')
      const a = await house.clone.commit('A', {})
      await house.push('main')
      const first = pushed({ ref, from: start, to: a })
      await it.send(...first)
      await it.process()
      assert.deepEqual(await revisions(house), [a])
      const b = await house.clone.commit('B', {})
      await house.push('main')
      await house.push(`${a}:main`)
      const moves = [pushed({ ref, from: a, to: b }), pushed({ ref, from: b, to: a })]
      for (const move of moves) await it.send(...move)
      assert.deepEqual((await it.process()).slice(1), Array(2).fill('done: pipelines 2, 3'))
      assert.deepEqual(await revisions(house), [a, b, a])
      for (const move of [first, ...moves]) await it.send(...move)
      assert.deepEqual((await it.process()).slice(-3), Array(3).fill('done: nothing to build'))
      assert.ok(await it.look(3_601_000))
      assert.deepEqual(await revisions(house), [a, b, a])
    })

    test('are built as often as a branch came to them, though all was told at once and a poll was quicker with the last', async () => {
      await using it = await openStill({ database, terms: { source: 'provider' } })
      const { house } = it
      assert.ok(await it.look())
      const start = await house.clone.revision('HEAD')
      const [a, b] = [await house.clone.commit('A', {}), await house.clone.commit('B', {})]
      await house.push('main')
      await house.push(`${a}:main`)
      const there = [pushed({ ref, from: start, to: a }), pushed({ ref, from: a, to: b })]
      for (const move of [...there, pushed({ ref, from: b, to: a })]) await it.send(...move)
      await it.process()
      assert.deepEqual((await revisions(house)).toSorted(), [a, a, b].toSorted())
      // A poll sees a forced push as any other, and the hook that comes later tells of nothing new.
      await house.push(`${b}:main`)
      assert.ok(await it.look(3_601_000))
      await it.send(...pushed({ ref, from: a, to: b }))
      await house.push(`${start}:main`)
      assert.ok(await it.look(3_601_000))
      await it.send(...pushed({ ref, from: b, to: start }))
      assert.deepEqual((await it.process()).slice(-2), Array(2).fill('done: nothing to build'))
      assert.deepEqual((await revisions(house)).toSorted(), [a, a, b, b, start].toSorted())
    })

    test('are all built, however many hooks are processed at one look', async () => {
      await using it = await openStill({ database })
      const { house } = it
      assert.ok(await it.look())
      const first = await house.clone.commit('First', {})
      const second = await house.clone.commit('Second', {})
      // More than are built of one push.
      const branches = Array.from({ length: 52 }, (_, i) => `refs/heads/branch-${i}`)
      await house.push('main', ...branches.map((name) => `HEAD:${name}`))
      const moves = [...branches.map((name) => ({ ref: name, to: second })), { ref, to: second }, { ref, to: first }]
      for (const move of moves) await it.send(...pushed(move))
      await it.process()
      assert.deepEqual(
        (await revisions(house)).toSorted(),
        [first, ...Array<string>(branches.length + 1).fill(second)].toSorted(),
      )
      assert.ok(await it.look(3_601_000))
      assert.equal((await revisions(house)).length, moves.length)
    })

    test('and repositories whose look was stopped have not failed', async () => {
      await using it = await openStill({ database })
      const { house } = it
      const { app, world } = house.service
      assert.ok(await it.look())
      const [row] = await takeAfter(it, 3_601_000)
      assert.ok(row)
      await poll(app, row, AbortSignal.abort())
      const after = await world.db.selectFrom('polls').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual([after.failures, after.next_at <= world.now()], [0, true])
      await house.push('HEAD:refs/heads/side')
      await it.send(...pushed({ ref: 'refs/heads/side', to: await house.clone.revision('HEAD') }))
      const { batches } = await takeBatches(world, 100)
      for (const batch of batches) await processBatch(app, batch, AbortSignal.abort())
      // Whoever comes next need not wait until it is thought dead.
      assert.deepEqual(await it.process(), ['done: pipelines 1'])
    })

    test('that a branch has passed cancel nothing of what came after them', async () => {
      await using it = await openStill({ database })
      const { house } = it
      const { world } = house.service
      const advanced = { autocancel_builds: true }
      await house.service.call(updateProjectSettings, { params: house.slug, body: { advanced } })
      assert.ok(await it.look())
      const [older, newer] = [await house.clone.commit('Older', {}), await house.clone.commit('Newer', {})]
      await house.push('HEAD:refs/heads/side')
      const side = 'refs/heads/side'
      await it.send(...pushed({ ref: side, from: older, to: newer }))
      await it.process()
      await it.send(...pushed({ ref: side, to: older }))
      await it.process()
      assert.deepEqual(await revisions(house), [newer, older])
      const project = await projectBySlug(world.db, 'provider-a', 'acme', 'web')
      assert.ok(project)
      const [first] = await world.db.selectFrom('pipelines').selectAll().orderBy('number').execute()
      assert.ok(first)
      await processPipeline(world, house.service.app.compile, first.id as PipelineId)
      await cancelRedundant(world, project, { branch: 'side', definition_id: '' })
      const workflows = await world.db.selectFrom('workflows').select('status').execute()
      assert.deepEqual(
        workflows.map(({ status }) => status),
        ['running'],
      )
    })
  })
}

test('a commit that was forced away before anybody looked is built where its provider still shows it', async () => {
  await using it = await openStill({ terms: { source: 'provider' } })
  const { house } = it
  assert.ok(await it.look())
  const from = await house.clone.revision('HEAD')
  const away = await house.clone.commit('Away', {})
  await house.push('main')
  await house.clone.git('commit', '--quiet', '--amend', '--allow-empty', '--message', 'Stays')
  await house.push('main')
  const stays = await house.clone.revision('HEAD')
  await it.send(...pushed({ ref, from, to: away }))
  await it.send(...pushed({ ref, from: away, to: stays }))
  assert.deepEqual(await it.process(), Array(2).fill('done: pipelines 1, 2'))
  assert.deepEqual(await revisions(house), [away, stays])
})
