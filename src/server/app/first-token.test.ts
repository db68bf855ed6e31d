import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databases, smallWorld } from '#test/world.ts'
import { openApp } from './app.ts'
import { makeToken } from './own-tokens.ts'
import { ensureAdmin } from './people.ts'

const [first, second] = ['first-0123456789-first', 'second-0123456789-second']

for (const database of databases) {
  describe(`the token of the first user on ${database}`, () => {
    test('is the one of the last start: the one before opens nothing, and what the user made stays', async () => {
      await using it = await smallWorld(database)
      /** Who a token opens to a server that was just started with another, or the same. */
      const startedWith = async (given: string, ...tokens: readonly string[]) => {
        await ensureAdmin(it.world, 'admin', given)
        const app = openApp(it.world)
        return Promise.all(
          tokens.map(async (token) => {
            const caller = await app.callers.find(token).catch((error: Error) => ({ kind: error.message }))
            return caller.kind === 'user' && 'user' in caller ? caller.user.login : caller.kind
          }),
        )
      }
      const refused = 'Invalid token provided.'
      assert.deepEqual(await startedWith(first, first), ['admin'])
      const admin = await openApp(it.world).callers.find(first)
      assert.ok(admin.kind === 'user')
      const own = await makeToken(it.app, { kind: 'user', id: admin.id }, 'mine')
      assert.deepEqual(await startedWith(first, first, own.token), ['admin', 'admin'])
      assert.deepEqual(await startedWith(second, first, second, own.token), [refused, 'admin', 'admin'])
      assert.deepEqual(await startedWith(first, first, second, own.token), ['admin', refused, 'admin'])
    })
  })
}
