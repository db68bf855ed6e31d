import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TokenId, UserId } from '#core/ids.ts'
import { Refusal } from '#kit/refusal.ts'
import { type Database, databases, smallWorld } from '#test/world.ts'
import { changeAccount, createAccount } from './accounts.ts'
import type { User } from './callers.ts'
import { createContext, setContextVariable } from './contexts.ts'
import { createOrganization, removeMember, setMember } from './memberships.ts'

async function openPeople(database: Database, count: number) {
  const it = await smallWorld(database)
  const users: User[] = []
  for (let i = 0; i < count; i++) {
    const user = await createAccount(it.world, { login: `user-${i}`, admin: true })
    users.push({ kind: 'user', id: user.id as UserId, user, token: '' as TokenId, session: false })
  }
  const [first, ...others] = users
  assert.ok(first)
  return { ...it, first, others, users }
}

/** How many were done; the rest must have been refused. */
async function doneOf(all: readonly Promise<unknown>[]): Promise<number> {
  const settled = await Promise.allSettled(all)
  for (const one of settled) if (one.status === 'rejected') assert.ok(one.reason instanceof Refusal, String(one.reason))
  return settled.filter(({ status }) => status === 'fulfilled').length
}

for (const database of databases) {
  describe(`at the same moment, on ${database}`, () => {
    test('administrators who all step down leave one behind', async () => {
      await using it = await openPeople(database, 6)
      assert.equal(await doneOf(it.users.map(({ id }) => changeAccount(it.app, id, { admin: false }))), 5)
      const left = await it.world.db.selectFrom('users').select('id').where('admin', '=', 1).execute()
      assert.equal(left.length, 1)
    })

    test('owners who all leave, or are made members, leave one behind', async () => {
      await using it = await openPeople(database, 6)
      const { id } = await createOrganization(it.world, it.first, 'acme')
      for (const { user } of it.others) await setMember(it.app, it.first, id, user.login, 'owner')
      const leaving = it.users.map((user, index) =>
        index % 2 === 0
          ? removeMember(it.app, user, id, user.user.login)
          : setMember(it.app, user, id, user.user.login, 'member'),
      )
      assert.equal(await doneOf(leaving), 5)
    })

    test('contexts of one name are made once, and one variable is kept of many that are set', async () => {
      await using it = await openPeople(database, 1)
      const { id } = await createOrganization(it.world, it.first, 'acme')
      const many = Array.from({ length: 6 }, (_, index) => index)
      assert.equal(await doneOf(many.map(() => createContext(it.world, it.first, { id }, 'shared'))), 1)
      const context = await it.world.db.selectFrom('contexts').select('id').executeTakeFirstOrThrow()
      const set = (value: number) => setContextVariable(it.world, it.first, context.id, 'KEY', String(value))
      assert.equal(await doneOf(many.map(set)), 6)
      const rows = await it.world.db.selectFrom('context_variables').select('name').execute()
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['KEY'],
      )
    })

    test('a context takes its hundredth variable once, however many want to be it', async () => {
      await using it = await openPeople(database, 1)
      const { id } = await createOrganization(it.world, it.first, 'acme')
      const context = await createContext(it.world, it.first, { id }, 'full')
      for (let i = 0; i < 99; i++) await setContextVariable(it.world, it.first, context.id, `KEY_${i}`, '')
      const late = ['A', 'B', 'C', 'D'].map((name) => setContextVariable(it.world, it.first, context.id, name, ''))
      assert.equal(await doneOf(late), 1)
    })
  })
}
