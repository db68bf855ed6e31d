import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCheckoutKey, removeCheckoutKey } from '#server/app/checkout-keys.ts'
import { connect } from '#server/app/connect.ts'
import { follow, unfollow } from '#server/app/followed.ts'
import { removeProject } from '#server/app/delete-project.ts'
import { grantKey, registrationsOf, retryRegistration, takeDueKeys } from '#server/app/key-registrations.ts'
import { removeUnwantedKey, takeDueUnwantedKeys } from '#server/app/unwanted-keys.ts'
import { keyWishesOf } from '#server/store/key-registrations.ts'
import { ada } from '#test/given.ts'
import { databases } from '#test/world.ts'
import { openConnected } from './connected.ts'

type House = Awaited<ReturnType<typeof openConnected>>

/** Does what is due; says how every wish stands: `deploy wanted done 7`. */
async function settled({ it, project }: House): Promise<readonly string[]> {
  for (const row of await takeDueKeys(it.world, 10)) await grantKey(it.world, row, new AbortController().signal)
  const rows = await keyWishesOf(it.world.db, { project: project.id })
  return rows
    .map(({ kind, wanted, state, remote_id }) => `${kind} ${wanted ? 'wanted' : 'unwanted'} ${state} ${remote_id}`)
    .toSorted()
}

/** Removes what deleted projects left, as far as it is due; says how many keys are left. */
async function swept({ it }: House): Promise<number> {
  for (const row of await takeDueUnwantedKeys(it.world, 10))
    await removeUnwantedKey(it.world, row, new AbortController().signal)
  return (await it.world.db.selectFrom('unwanted_keys').selectAll().execute()).length
}

for (const database of databases) {
  describe(`keys at providers on ${database}`, () => {
    test('the key of a project is registered when it is connected or followed, and taken away when it is deleted', async () => {
      await using house = await openConnected(database)
      const { it, fake, project } = house
      const user = await ada(it)
      const key = await createCheckoutKey(it.world, project, user, 'deploy-key')
      // Nobody has a token yet.
      assert.deepEqual(await settled(house), ['deploy wanted dead null'])
      fake.will('GET /repos/acme/web', { body: { permissions: { admin: true } } })
      fake.will('POST /repos/acme/web/keys', { status: 503 })
      assert.deepEqual(await connect(it.world, project, 'of-project'), { level: 'admin', keyAdded: false })
      fake.will('POST /repos/acme/web/keys', { status: 201, body: { id: 7 } })
      assert.deepEqual(await settled(house), ['deploy wanted done 7'])
      fake.state.isDown = true
      await removeCheckoutKey(it.world, project, key.md5)
      assert.deepEqual(await settled(house), ['deploy unwanted pending 7'])
      fake.state.isDown = false
      it.wait(3_600_000)
      fake.will('DELETE /repos/acme/web/keys/7', { status: 204 })
      assert.deepEqual(await settled(house), [])
      assert.equal(house.lines().at(-1), 'of-project DELETE /repos/acme/web/keys/7')
    })

    test('a key of a user goes with the user: registered with their token, away when they no longer follow, back when they do', async () => {
      await using house = await openConnected(database)
      const { it, fake, project } = house
      const user = await ada(it)
      await house.signIn(user.id, 'of-ada')
      fake.will('POST /user/keys', { status: 201, body: { id: 3 } }, { status: 201, body: { id: 4 } })
      fake.will('DELETE /user/keys/3', { status: 204 })
      await createCheckoutKey(it.world, project, user, 'user-key')
      assert.deepEqual(await settled(house), ['user wanted done 3'])
      await unfollow(it.app, user, project)
      assert.deepEqual(await settled(house), [])
      await follow(it.app, user, project)
      assert.deepEqual(await settled(house), ['user wanted done 4'])
      const words = ['of-ada POST /user/keys', 'of-ada DELETE /user/keys/3', 'of-ada POST /user/keys']
      assert.deepEqual(house.lines(), words)
    })

    test('whoever follows a project lends their token where it has none; a provider that wants to be left alone is', async () => {
      await using house = await openConnected(database)
      const { it, fake, project } = house
      const user = await ada(it)
      await createCheckoutKey(it.world, project, user, 'deploy-key')
      await settled(house)
      await house.signIn(user.id, 'of-ada')
      await unfollow(it.app, user, project)
      await follow(it.app, user, project)
      const line = 'POST /repos/acme/web/keys'
      fake.will(line, { status: 429, headers: { 'retry-after': '120' } }, { status: 201, body: { id: 9 } })
      assert.deepEqual(await settled(house), ['deploy wanted pending null'])
      it.wait(119_000)
      assert.deepEqual(await settled(house), ['deploy wanted pending null'])
      it.wait(2_000)
      assert.deepEqual(await settled(house), ['deploy wanted done 9'])
      assert.deepEqual(house.lines(), [`of-ada ${line}`, `of-ada ${line}`])
    })

    test('a project that is deleted takes its keys along: the provider is asked until it has removed them, or they are gone', async () => {
      await using house = await openConnected(database)
      const { it, fake, project } = house
      const user = await ada(it)
      await house.signIn(user.id, 'of-ada')
      fake.will('GET /repos/acme/web', { body: { permissions: { admin: true } } })
      await connect(it.world, project, 'of-project')
      fake.will('POST /user/keys', { status: 201, body: { id: 3 } })
      fake.will('POST /repos/acme/web/keys', { status: 201, body: { id: 7 } }, { status: 201, body: { id: 8 } })
      for (const type of ['user-key', 'deploy-key', 'deploy-key'])
        await createCheckoutKey(it.world, project, user, type)
      assert.equal((await settled(house)).length, 3)
      // Of this one nobody knows whether the provider got it: whoever asked died.
      const lost = await createCheckoutKey(it.world, project, user, 'deploy-key')
      await takeDueKeys(it.world, 10)
      await removeProject(it.app, user, project)
      fake.asked.length = 0
      fake.state.isDown = true
      await swept(house)
      fake.state.isDown = false
      fake.will('DELETE /user/keys/3', { status: 204 })
      fake.will('DELETE /repos/acme/web/keys/7', { status: 429, headers: { 'retry-after': '120' } }, { status: 204 })
      fake.will('GET /repos/acme/web/keys', { body: [{ id: 9, key: lost.publicKey }] })
      fake.will('DELETE /repos/acme/web/keys/9', { status: 204 })
      it.wait(60_000)
      // The one that is gone already, 8, is as good as removed.
      assert.equal(await swept(house), 1)
      it.wait(119_000)
      assert.equal(await swept(house), 1)
      it.wait(2_000)
      assert.equal(await swept(house), 0)
      assert.deepEqual(house.lines().toSorted(), [
        'of-ada DELETE /user/keys/3',
        'of-project DELETE /repos/acme/web/keys/7',
        'of-project DELETE /repos/acme/web/keys/7',
        'of-project DELETE /repos/acme/web/keys/8',
        'of-project DELETE /repos/acme/web/keys/9',
        'of-project GET /repos/acme/web/keys',
      ])
    })

    test('a key that nobody may remove any more is given up, and the log says where it stays', async () => {
      await using house = await openConnected(database)
      const { it, fake, project } = house
      const user = await ada(it)
      fake.will('GET /repos/acme/web', { body: { permissions: { admin: true } } })
      await createCheckoutKey(it.world, project, user, 'deploy-key')
      fake.will('POST /repos/acme/web/keys', { status: 201, body: { id: 7 } })
      await connect(it.world, project, 'of-project')
      await removeProject(it.app, user, project)
      fake.will('DELETE /repos/acme/web/keys/7', { status: 403 })
      assert.equal(await swept(house), 0)
      const words = it.logged.findLast((line) => line.includes('stays until somebody removes it there'))
      assert.match(words ?? '', /acme\/web/)
      assert.doesNotMatch(words ?? '', /of-project/)
    })

    test('how a key stands is shown, with the reason where it was refused, and it is tried again when somebody asks', async () => {
      await using house = await openConnected(database)
      const { it, fake, project } = house
      const user = await ada(it)
      const { md5, sha256 } = await createCheckoutKey(it.world, project, user, 'deploy-key')
      fake.will('GET /repos/acme/web', { body: { permissions: { admin: true } } })
      fake.will('POST /repos/acme/web/keys', { status: 403 })
      await connect(it.world, project, 'of-project')
      const shown = async () =>
        (await registrationsOf(it.world, project)).map(({ row, sha256: key }) => [key, row.state, row.error])
      assert.deepEqual(await shown(), [[sha256, 'dead', 'Cannot POST /api/v3/repos/acme/web/keys: it answered 403']])
      await assert.rejects(retryRegistration(it.world, project, user.id, 'none'), { code: 'not-found' })
      await retryRegistration(it.world, project, user.id, md5)
      assert.deepEqual(await shown(), [[sha256, 'pending', null]])
      fake.will('POST /repos/acme/web/keys', { status: 201, body: { id: 7 } })
      assert.deepEqual(await settled(house), ['deploy wanted done 7'])
    })
  })
}
