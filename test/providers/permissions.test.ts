import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { may, type Right } from '#server/app/permissions.ts'
import { newPerson } from '#test/api/people.ts'
import { databases } from '#test/world.ts'
import { openConnected } from './connected.ts'

type House = Awaited<ReturnType<typeof openConnected>>

const rights: readonly Right[] = ['read', 'build', 'inspect', 'configure']

/** Somebody who is nobody here, and what they may. */
async function stranger({ it, project }: House) {
  const { id, token } = await newPerson(it.world, 'grace')
  const caller = await it.app.callers.find(token)
  assert.ok(caller?.kind === 'user')
  return {
    id,
    async rights(): Promise<string> {
      const found: string[] = []
      for (const right of rights) if (await may(it.world, caller, right, project)) found.push(right)
      return found.join(' ')
    },
  }
}

const says = (permissions: object) => ({ body: { permissions } })
const line = 'GET /repos/acme/web'

for (const database of databases) {
  describe(`permissions of providers on ${database}`, () => {
    test('count only where the operator wants it and somebody signed in there; then they are those of the repository', async () => {
      await using off = await openConnected(database)
      const nobody = await stranger(off)
      await off.signIn(nobody.id, 'of-grace')
      assert.equal(await nobody.rights(), '')
      await using house = await openConnected(database, { providerPermissions: true })
      const { it, fake } = house
      const grace = await stranger(house)
      assert.equal(await grace.rights(), '')
      assert.deepEqual([...off.lines(), ...house.lines()], [])
      await house.signIn(grace.id, 'of-grace')
      const levels: readonly (readonly [object, string])[] = [
        [{ pull: true }, 'read'],
        [{ push: true }, 'read build inspect'],
        [{ admin: true }, 'read build inspect configure'],
      ]
      for (const [permissions, expected] of levels) {
        fake.will(line, says(permissions))
        it.wait(5 * 60_000 + 1)
        assert.equal(await grace.rights(), expected)
        // Believed for a while.
        it.wait(5 * 60_000 - 1)
        assert.equal(await grace.rights(), expected)
      }
      assert.equal(house.lines().length, 3)
      it.wait(5 * 60_000)
      fake.will(line, { status: 404 })
      assert.equal(await grace.rights(), '')
    })

    test('hold for an hour while the provider is down, and not after; a token that was taken back opens nothing', async () => {
      await using house = await openConnected(database, { providerPermissions: true })
      const { it, fake } = house
      const grace = await stranger(house)
      await house.signIn(grace.id, 'of-grace')
      fake.will(line, says({ push: true }))
      assert.equal(await grace.rights(), 'read build inspect')
      fake.state.isDown = true
      it.wait(30 * 60_000)
      assert.equal(await grace.rights(), 'read build inspect')
      it.wait(60 * 60_000)
      assert.equal(await grace.rights(), '')
      fake.state.isDown = false
      it.wait(10_000)
      fake.will(line, says({ push: true }))
      assert.equal(await grace.rights(), 'read build inspect')
      it.wait(5 * 60_000)
      fake.will(line, { status: 401 })
      assert.equal(await grace.rights(), '')
    })

    test('end with what a removed collaborator was last allowed, and are not asked for while the provider wants to be left alone', async () => {
      await using house = await openConnected(database, { providerPermissions: true })
      const { it, fake } = house
      const grace = await stranger(house)
      await house.signIn(grace.id, 'of-grace')
      fake.will(line, says({ admin: true }))
      assert.equal(await grace.rights(), 'read build inspect configure')
      it.wait(5 * 60_000)
      const soon = Math.floor(Date.now() / 1000) + 900
      const usedUp = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(soon) }
      fake.will(line, { status: 403, headers: usedUp })
      assert.equal(await grace.rights(), 'read build inspect configure')
      it.wait(10 * 60_000)
      assert.equal(await grace.rights(), 'read build inspect configure')
      assert.equal(house.lines().length, 2)
      assert.ok(it.logged.some((words) => /answered 403, and wants to be asked again in \d+ s/.test(words)))
      it.wait(5 * 60_000)
      // Meanwhile somebody has removed her there.
      fake.will(line, { status: 404 })
      assert.equal(await grace.rights(), '')
      it.wait(60_000)
      assert.equal(await grace.rights(), '')
      assert.equal(house.lines().length, 3)
    })

    test('are asked with a token that is made new when it is over, and with none where that is refused', async () => {
      await using house = await openConnected(database, { providerPermissions: true })
      const { it, fake } = house
      const grace = await stranger(house)
      await house.signIn(grace.id, 'first', { refresh: 'again', expiresInMs: 3_600_000 })
      it.wait(2 * 3_600_000)
      const exchange = 'POST /login/oauth/access_token'
      fake.will(exchange, { body: { access_token: 'second', refresh_token: 'and-again', expires_in: 3600 } })
      fake.will(line, says({ pull: true }))
      assert.equal(await grace.rights(), 'read')
      assert.equal(house.lines().at(-1), `second ${line}`)
      it.wait(2 * 3_600_000)
      fake.will(exchange, { body: { error: 'bad_refresh_token' } })
      assert.equal(await grace.rights(), '')
      const left = await it.world.db.selectFrom('provider_tokens').selectAll().execute()
      assert.deepEqual(left, [])
      assert.ok(it.logged.some((words) => words.includes('is over')))
    })
  })
}
