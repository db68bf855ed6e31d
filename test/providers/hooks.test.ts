import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addProject } from '#contract/rh/projects.ts'
import {
  createOrganizationReceiver,
  deleteReceiver,
  getHook,
  listHooks,
  listOrganizationReceivers,
  replayHook,
} from '#contract/rh/receivers.ts'
import { updateProjectSettings } from '#contract/v2/project-settings.ts'
import { databases } from '#test/world.ts'
import { openHouse } from './house.ts'
import { hooksOf, type Move } from './push-hooks.ts'
import { payload, sendHook, signedHeaders } from './signed.ts'

for (const database of databases) {
  describe(`hooks of providers on ${database}`, () => {
    test('a push that is told is built once, however often and under whatever name it is told', async () => {
      await using house = await openHouse('provider-a', { database })
      await house.clone.commit('Second', {})
      await house.push('main')
      const body = await house.told(payload('github-push'))
      assert.equal(await house.tell('push', body, { delivery: 'one' }), 'done: pipelines 1')
      assert.equal(await house.tell('push', body, { delivery: 'one' }), 'answered 200')
      assert.equal(await house.tell('push', body, { delivery: 'two' }), 'done: nothing to build')
      const [hook] = await house.outcomes()
      assert.ok(hook)
      await house.service.call(replayHook, { params: { hook_id: hook.id } })
      await house.service.until(async () =>
        (await house.outcomes())[0]?.outcome === 'nothing to build' ? true : undefined,
      )
      assert.deepEqual(await house.pipelines(), ['1 main trusted'])
      assert.equal((await house.service.call(getHook, { params: { hook_id: hook.id } })).body, body)
    })

    test('one hook of many refs builds the branches and tags that moved, not what is gone, skipped or was there before', async () => {
      await using house = await openHouse('provider-b', { database })
      await house.push('main:refs/heads/old', 'main:refs/heads/moved')
      const revision = (name: string) => house.clone.revision(name)
      const tell = (...moves: readonly Move[]) => house.tell(...hooksOf('provider-b', moves)[0]!)
      const before = await revision('main')
      const made = ['old', 'moved'].map((name) => ({ ref: `refs/heads/${name}`, to: before }))
      assert.equal(await tell(...made), 'done: pipelines 1, 2')
      await house.clone.git('commit', '--quiet', '--amend', '--message', 'Rewritten')
      await house.push(':refs/heads/old', 'HEAD:refs/heads/moved', 'main~0:refs/heads/feature/x', 'HEAD:refs/tags/v1.0')
      await house.clone.commit('Quietly\n\n[skip ci]', {})
      await house.push('HEAD:refs/heads/quiet')
      const after = await revision('main~1')
      const told = [
        { ref: 'refs/heads/old', from: before },
        { ref: 'refs/heads/moved', from: before, to: after },
        { ref: 'refs/heads/feature/x', to: after },
        { ref: 'refs/tags/v1.0', to: after },
        { ref: 'refs/heads/quiet', to: await revision('main') },
      ]
      assert.equal(await tell(...told), 'done: pipelines 3, 4, 5')
      assert.equal(await tell(...told), 'done: nothing to build')
      assert.deepEqual(await house.pipelines(), [
        '1 moved trusted',
        '2 old trusted',
        '3 feature/x trusted',
        '4 moved trusted',
        '5 v1.0 trusted',
      ])
      const skipped = await house.service.world.db
        .selectFrom('jobs')
        .select('dont_build')
        .where('branch', '=', 'quiet')
        .execute()
      assert.deepEqual(
        skipped.map((row) => row.dont_build),
        ['ci-skip'],
      )
    })

    test('what is not proven, too large, unknown or malformed changes nothing, and says why', async () => {
      await using house = await openHouse('provider-c', { database })
      await house.clone.commit('Second', {})
      await house.push('main')
      const body = await house.told(payload('gitlab-push'))
      const forged = { ...house.receiver, secret: 'rhw_guessed' }
      assert.equal(await sendHook(house.service, forged, 'provider-c', 'Push Hook', body), 401)
      const { secret } = house.receiver
      const past = Date.parse(house.service.world.now()) - 301_000
      const stale = { headers: signedHeaders('stale', secret, body, past) }
      assert.equal(await sendHook(house.service, house.receiver, 'provider-c', 'Push Hook', body, stale), 401)
      const elsewhere = { ...house.receiver, url: house.receiver.url.replace(/.$/, (end) => (end === '0' ? '1' : '0')) }
      assert.equal(await sendHook(house.service, elsewhere, 'provider-c', 'Push Hook', body), 404)
      const other = { ...house.receiver, url: house.receiver.url.replace('provider-c', 'provider-a') }
      assert.equal(await sendHook(house.service, other, 'provider-c', 'Push Hook', body), 404)
      const huge = JSON.stringify({ padding: 'x'.repeat(6_000_000) })
      assert.equal(await sendHook(house.service, house.receiver, 'provider-c', 'Push Hook', huge), 413)
      assert.equal(await sendHook(house.service, house.receiver, 'provider-c', 'Push Hook', '{"a":"\0"}'), 400)
      assert.deepEqual(await house.outcomes(), [])
      assert.equal(await house.tell('Note Hook', body), 'ignored: events of the kind "Note Hook" cause nothing')
      assert.equal(
        await house.tell('Push Hook', '{"ref":1}'),
        'failed: Cannot read the hook as it must have a text ref: it has not',
      )
      assert.equal(
        await house.tell('Push Hook', 'not json'),
        'failed: Cannot read the hook as it must be JSON: it is not',
      )
      assert.deepEqual(await house.pipelines(), [])
      const reasons = house.service.warnings.map((line) => line.replace(/ \{.*/, ''))
      assert.deepEqual(reasons, [
        'A hook was refused: its signature or token is wrong',
        'A hook was refused: it was signed too long ago, or its clock is wrong',
        'A hook was refused: there is no such receiver',
        'A hook was refused: there is no such receiver',
        'A hook was refused: it is too large',
        'A hook was refused: it contains a null character',
        'A hook was ignored: events of the kind "Note Hook" cause nothing',
        'A hook was failed: Cannot read the hook as it must have a text ref: it has not',
        'A hook was failed: Cannot read the hook as it must be JSON: it is not',
      ])
      assert.ok(house.service.warnings.every((line) => !line.includes(house.receiver.secret)))
      await house.service.call(deleteReceiver, { params: { receiver_id: house.receiver.id } })
      assert.equal(await sendHook(house.service, house.receiver, 'provider-c', 'Push Hook', body), 404)
    })

    test('a hook that GitLab signed is built, and somebody who listened cannot send it again under another name', async () => {
      await using house = await openHouse('provider-c', { database })
      await house.clone.commit('Second', {})
      await house.push('main')
      const body = await house.told(payload('gitlab-push'))
      const headers = signedHeaders('m1', house.receiver.secret, body, Date.parse(house.service.world.now()))
      assert.equal(await house.tell('Push Hook', body, { headers }), 'done: pipelines 1')
      const again = { headers: { ...headers, 'idempotency-key': 'another', 'x-gitlab-event-uuid': 'another' } }
      assert.equal(await house.tell('Push Hook', body, again), 'answered 200')
      const renamed = { headers: { ...headers, 'webhook-id': 'm2' } }
      assert.equal(await house.tell('Push Hook', body, renamed), 'answered 401')
    })

    test('one receiver serves all projects of an organization, each known by its whole path, and nobody else', async () => {
      await using house = await openHouse('provider-c', { database })
      const { service } = house
      const { organization_id } = house.receiver
      const params = { organization_id }
      const receiver = await service.call(createOrganizationReceiver, { params })
      await house.folder.create('acme/tools/web')
      await house.clone.give(house.folder.pathOf('acme/tools/web'), 'main')
      await house.folder.refresh('acme/tools/web')
      const url = `${house.webUrl}/acme/tools/web.git`
      const other = { url, organization: 'acme', name: 'tools-web', provider: 'provider-c' }
      await service.call(addProject, { body: other })
      const tell = async (event: string, path: string) => {
        const body = await house.told(payload('gitlab-push', (text) => text.replaceAll('acme/tools/web', path)))
        assert.equal(await sendHook(service, receiver, 'provider-c', event, body), 202)
        return service.until(async () => {
          const { items } = await service.call(listHooks, { params: { receiver_id: receiver.id }, query: {} })
          return items.every(({ state }) => state !== 'pending') ? items[0]?.outcome : undefined
        })
      }
      assert.equal(await tell('Push Hook', 'acme/tools/web'), 'pipelines 1')
      assert.equal(await tell('System Hook', 'Acme/Web'), 'pipelines 1')
      const none = 'the organization has no project of the repository other/web'
      assert.equal(await tell('Push Hook', 'other/web'), none)
      const listed = await service.call(listOrganizationReceivers, { params })
      assert.deepEqual(new Set(listed.items.map(({ project_id }) => project_id === null)), new Set([true, false]))
      assert.ok(!JSON.stringify(listed).includes(receiver.secret))
    })

    test('while the provider cannot be reached a hook waits, and is done when it can', async () => {
      await using house = await openHouse('provider-c', { database })
      await house.clone.commit('Second', {})
      await house.push('main')
      house.state.isDown = true
      assert.equal(
        await sendHook(
          house.service,
          house.receiver,
          'provider-c',
          'Push Hook',
          await house.told(payload('gitlab-push')),
        ),
        202,
      )
      await house.service.until(async () => ((await house.outcomes())[0]?.attempts ?? 0) > 0 || undefined)
      house.state.isDown = false
      house.service.clock.aheadMs = 60_000
      house.service.world.bell.ring('hooks')
      const outcome = await house.service.until(async () => {
        const [hook] = await house.outcomes()
        return hook?.state === 'done' ? hook.outcome : undefined
      })
      assert.equal(outcome, 'pipelines 1')
    })

    test('where only pull requests are built, a branch waits for its own, and the default branch does not', async () => {
      await using house = await openHouse('provider-a', { database })
      const advanced = { build_prs_only: true }
      await house.service.call(updateProjectSettings, { params: house.slug, body: { advanced } })
      await house.clone.commit('Second', {})
      await house.push('main', 'main:refs/heads/mend')
      const told = payload('github-push', (text) => text.replaceAll('refs/heads/main', 'refs/heads/mend'))
      assert.equal(await house.tell('push', told), 'done: nothing to build')
      assert.equal(await house.tell('pull_request', payload('github-pull-opened')), 'done: pipeline 1')
      assert.equal(
        await house.tell('pull_request', payload('github-pull-opened')).then((said) => said.split(':')[0]),
        'ignored',
      )
      await house.clone.commit('Third', {})
      await house.push('HEAD:refs/heads/mend', 'HEAD:refs/heads/main')
      assert.equal(await house.tell('push', told), 'done: pipelines 2, 3')
      assert.deepEqual(await house.pipelines(), ['1 mend trusted', '2 main trusted', '3 mend trusted'])
      await house.clone.commit('Fourth [skip ci]', {})
      await house.push('HEAD:refs/heads/mend')
      assert.match(await house.tell('push', told), /^done: nothing/)
      assert.match(await house.tell('pull_request', payload('github-pull-opened')), /asks not to be built$/)
    })
  })
}
