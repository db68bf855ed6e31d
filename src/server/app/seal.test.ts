import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { ProjectId } from '#core/ids.ts'
import { sql } from 'kysely'
import { ada, adaToken, claim, givenAgent, givenWorkflow } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { newAgent } from './agents.ts'
import { assignmentOf } from './job-details.ts'
import { newSignInKey, signIn } from './people.ts'
import { addProject } from './projects.ts'
import { hashToken, newToken, sealWith, tokenPrefix } from './seal.ts'
import { setVariable } from './variables.ts'
import { createWebhook } from './webhooks.ts'

/** Everything the database holds, as bytes of its files or as text of its rows. */
async function everythingIn(it: SmallWorld, database: (typeof databases)[number]): Promise<string> {
  if (database === 'sqlite') {
    const files = (await readdir(it.folder)).filter((name) => name.startsWith('roundhouse.db'))
    return (await Promise.all(files.map((name) => readFile(join(it.folder, name), 'latin1')))).join('')
  }
  const { rows } = await sql<{
    table_name: string
  }>`select table_name from information_schema.tables where table_schema = 'public'`.execute(it.world.db)
  const texts = await Promise.all(
    rows.map(async ({ table_name }) =>
      JSON.stringify((await sql`select * from ${sql.table(table_name)}`.execute(it.world.db)).rows),
    ),
  )
  return texts.join('')
}

for (const database of databases) {
  describe(`what lies in the database on ${database}`, () => {
    test('no secret and no token can be read there, in any form that opens something', async () => {
      await using it = await smallWorld(database)
      const { project } = await givenWorkflow(it, 'build')
      const user = await ada(it)
      await setVariable(it.world, project, 'PASSWORD', 'value-that-nobody-may-read')
      const hook = {
        name: 'hook',
        url: 'https://example.com',
        verifyTls: true,
        signingSecret: 'secret-that-nobody-may-read',
        events: ['job-completed'],
      }
      await createWebhook(it.world, user, project.id as ProjectId, hook)
      await addProject(it.world, user, 'https://example.com/acme/elsewhere.git', 'acme', 'elsewhere')
      const { token: agentToken } = await newAgent(it.world, 'other')
      const key = await newSignInKey(it.world, user.user)
      const { session } = await signIn(it.world, await newSignInKey(it.world, user.user))
      const [held] = await claim(it, await givenAgent(it))
      assert.ok(held)
      const all = await everythingIn(it, database)
      assert.ok(all.includes('PASSWORD') && all.includes(project.id))
      const tokens = [adaToken, agentToken, key, session, held.token]
      const secrets = [
        'value-that-nobody-may-read',
        'secret-that-nobody-may-read',
        'PRIVATE KEY',
        Buffer.from('value-that-nobody-may-read').toString('base64').slice(0, -4),
      ]
      for (const secret of [...tokens, ...secrets]) assert.equal(all.includes(secret), false, `${secret} can be read`)
    })

    test('an agent gets them open, with the names of what to hide', async () => {
      await using it = await smallWorld(database)
      const { project } = await givenWorkflow(it, 'build')
      await setVariable(it.world, project, 'PASSWORD', 'value-that-nobody-may-read')
      const [held] = await claim(it, await givenAgent(it))
      assert.ok(held)
      const { environment, secrets } = await assignmentOf(it.world, it.app.bodyOf, held)
      // The identity of the job is a secret as well.
      const hidden = [
        'value-that-nobody-may-read',
        environment['SERVICE_OIDC_TOKEN'],
        environment['SERVICE_OIDC_TOKEN_V2'],
      ]
      assert.deepEqual([environment['PASSWORD'], secrets], ['value-that-nobody-may-read', hidden])
    })

    test('a sign-in key opens one session, within a day', async () => {
      await using it = await smallWorld(database)
      const user = await ada(it)
      const [used, old] = [await newSignInKey(it.world, user.user), await newSignInKey(it.world, user.user)]
      const { session } = await signIn(it.world, used)
      assert.equal((await it.app.callers.find(session)).kind, 'user')
      await assert.rejects(signIn(it.world, used), { code: 'unauthenticated' })
      await assert.rejects(it.app.callers.find(used), { code: 'unauthenticated' })
      it.wait(24 * 60 * 60 * 1000 + 1)
      await assert.rejects(signIn(it.world, old), { code: 'unauthenticated' })
    })
  })
}

describe('a seal', () => {
  const seal = sealWith(new Uint8Array(32).fill(1))

  test('opens what it closed, and closes the same value differently each time', () => {
    for (const value of ['', 'a', 'ä'.repeat(1000), '\0']) assert.equal(seal.open(seal.close(value)), value)
    assert.notEqual(seal.close('a'), seal.close('a'))
  })

  test('opens nothing that was changed anywhere, or closed with another key', () => {
    const closed = Buffer.from(seal.close('secret'), 'base64')
    for (let i = 0; i < closed.length; i++) {
      const changed = Buffer.from(closed)
      changed[i] = (changed[i] ?? 0) ^ 1
      assert.throws(() => seal.open(changed.toString('base64')))
    }
    assert.throws(() => sealWith(new Uint8Array(32).fill(2)).open(closed.toString('base64')))
    assert.throws(() => seal.open(''), /another form/)
  })

  test('takes no key that is too short', () => {
    assert.throws(() => sealWith(new Uint8Array(16)), /Cannot seal with a key of 16 bytes: 32 are needed/)
  })

  test('tokens are told apart by how they begin, and never come twice', () => {
    for (const kind of Object.keys(tokenPrefix) as (keyof typeof tokenPrefix)[])
      assert.match(newToken(kind), new RegExp(`^${tokenPrefix[kind]}[\\w-]{43}$`))
    assert.notEqual(newToken('user'), newToken('user'))
    assert.equal(hashToken('a'), 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb')
  })
})
