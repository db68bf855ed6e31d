import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { getConnection, setConnection } from '#contract/rh/connection.ts'
import { setPolling } from '#contract/rh/polling.ts'
import { addProject } from '#contract/rh/projects.ts'
import { triggerPipeline } from '#contract/v2/pipeline.ts'
import { projectBySlug } from '#server/store/projects.ts'
import { repositoryOf } from '#server/app/repositories.ts'
import { databases } from '#test/world.ts'
import { type House, openHouse } from './house.ts'
import { hooksOf } from './push-hooks.ts'
import { payload, sendHook } from './signed.ts'

async function mirrorOf({ service, slug }: House): Promise<string> {
  const project = await projectBySlug(service.world.db, slug.provider, slug.org, slug.repo)
  assert.ok(project)
  return repositoryOf(service.world, project)
}

const states = async ({ service }: House) =>
  (await service.world.db.selectFrom('pipelines').select(['number', 'state']).orderBy('number').execute()).map(
    ({ number, state }) => `${number} ${state}`,
  )

for (const provider of ['provider-a', 'provider-b', 'provider-c'] as const) {
  test(`a project at ${provider} that is read through its interface is built by hook, poll and trigger, without a mirror`, async () => {
    await using house = await openHouse(provider, { terms: { source: 'provider' } })
    await house.clone.commit('Second', {})
    await house.push('main')
    const to = await house.clone.revision('HEAD')
    const [event, body] = hooksOf(provider, [{ ref: 'refs/heads/main', to }])[0]!
    assert.match(await house.tell(event, body), /^done: pipelines 1/)
    assert.equal(await house.tell(event, body, { delivery: 'again' }), 'done: nothing to build')
    await house.service.call(triggerPipeline, { params: house.slug, body: { branch: 'main' } })
    await house.clone.commit('Third', {})
    await house.push('main', 'HEAD:refs/tags/v1')
    await house.service.call(setPolling, { params: house.slug, body: { every_seconds: 3600 } })
    const all = ['1 created', '2 created', '3 created', '4 created']
    await house.service.until(async () => ((await states(house)).join() === all.join() ? true : undefined))
    assert.deepEqual(await house.pipelines(), ['1 main trusted', '2 main trusted', '3 main trusted', '4 v1 trusted'])
    assert.equal(existsSync(await mirrorOf(house)), false)
    // What a commit says never changes: each was read once, though two pipelines build the second, and two the third.
    assert.equal(house.asked.filter((what) => what === 'commit').length, 2)
  })
}

for (const database of databases) {
  describe(`the interface of a provider on ${database}`, () => {
    test('is left alone for as long as it wants, and no push is lost meanwhile, nor while it fails', async () => {
      await using house = await openHouse('provider-a', { database, terms: { source: 'provider' } })
      await house.clone.commit('Second', {})
      await house.push('main')
      const { service } = house
      house.away.push({ status: 429, headers: { 'retry-after': '900' } })
      const body = await house.told(payload('github-push'))
      assert.equal(await sendHook(service, house.receiver, 'provider-a', 'push', body), 202)
      const hook = await service.until(async () =>
        (await house.outcomes())[0]?.attempts === 1 ? (await house.outcomes())[0] : undefined,
      )
      assert.match(hook?.outcome ?? '', /answered 429, and wants to be asked again in 900 s/)
      assert.ok(service.warnings.some((line) => line.includes('wants to be asked again in 900 s')))
      service.clock.aheadMs = 600_000
      service.world.bell.ring('hooks')
      await service.until(async () => ((await house.outcomes())[0]?.attempts === 1 ? true : undefined))
      assert.equal(house.asked.length, 0)
      // Branches and tags are told, the commit is not, nor is anything else for as long as somebody may ask again.
      const closed = Array.from({ length: 100 }, () => ({ status: 503 }))
      house.away.push(undefined, undefined, ...closed)
      service.clock.aheadMs = 1_000_000
      service.world.bell.ring('hooks')
      await service.until(async () => ((await house.outcomes())[0]?.attempts ?? 0) > 1 || undefined)
      assert.deepEqual(await house.pipelines(), [])
      assert.ok(house.away.length < closed.length)
      house.away.length = 0
      service.clock.aheadMs = 2_000_000
      service.world.bell.ring('hooks')
      const done = await service.until(async () =>
        (await house.outcomes())[0]?.state === 'done' ? (await house.outcomes())[0] : undefined,
      )
      assert.equal(done?.outcome, 'pipelines 1')
    })
  })
}

test('a project decides for itself, unless its repository lives elsewhere than its provider', async () => {
  await using house = await openHouse('provider-a')
  const { service, slug } = house
  const source = async () => (await service.call(getConnection, { params: slug })).source
  assert.equal(await source(), 'git')
  assert.equal((await service.call(setConnection, { params: slug, body: { source: 'provider' } })).source, 'provider')
  await house.clone.commit('Second', {})
  await house.push('main')
  assert.equal(await house.tell('push', payload('github-push')), 'done: pipelines 1')
  assert.equal(existsSync(await mirrorOf(house)), false)
  await service.call(setConnection, { params: slug, body: { source: 'git' } })
  await house.clone.commit('Third', {})
  await house.push('main')
  assert.equal(await house.tell('push', payload('github-push')), 'done: pipelines 2')
  assert.equal(existsSync(await mirrorOf(house)), true)
  const other = { url: 'https://example.com/acme/web.git', organization: 'acme', name: 'away', provider: 'provider-a' }
  await service.call(addProject, { body: other })
  const wrong = { params: { ...slug, repo: 'away' }, body: { source: 'provider' as const } }
  await assert.rejects(service.call(setConnection, wrong), /must live there: it does not/)
})
