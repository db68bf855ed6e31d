import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UserId } from '#core/ids.ts'
import { insertMember, insertUser, type UserRow } from '#server/store/people.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { claim, givenAgent, givenWorkflow } from '#test/given.ts'
import { databases, noon, smallWorld, type SmallWorld } from '#test/world.ts'
import { anonymous, type Caller } from './callers.ts'
import { may, projectFor, type Right } from './permissions.ts'

/** A user who is nobody special, in a role of the project's organization or in none. */
async function user({ world }: SmallWorld, project: ProjectRow, role?: string): Promise<Caller> {
  const id = world.newId() as UserId
  const row: UserRow = { id, login: id, key: id, name: id, avatar_url: null, email: null, admin: 0, created_at: noon }
  await world.db.transaction().execute(async (tx) => {
    await insertUser(tx, row)
    if (role !== undefined)
      await insertMember(tx, { organization_id: project.organization_id, user_id: id, role, created_at: noon })
  })
  return { kind: 'user', id, user: row, token: '' as never, session: false }
}

const rights: readonly Right[] = ['read', 'build', 'configure']
const granted = async ({ world }: SmallWorld, caller: Caller, project: ProjectRow): Promise<string> =>
  (await Promise.all(rights.map(async (right) => ((await may(world, caller, right, project)) ? [right] : []))))
    .flat()
    .join(' ')

for (const database of databases) {
  describe(`who may do what on ${database}`, () => {
    test('roles, scopes, jobs, agents and strangers', async () => {
      await using it = await smallWorld(database)
      const { project } = await givenWorkflow(it, 'build')
      const open: ProjectRow = { ...project, public: 1 }
      const agent = await givenAgent(it)
      const [held] = await claim(it, agent)
      assert.ok(held)
      const scoped = (scope: string): Caller => ({ kind: 'project', project: project.id as never, scope })
      const callers: Readonly<Record<string, Caller>> = {
        owner: await user(it, project, 'owner'),
        member: await user(it, project, 'member'),
        viewer: await user(it, project, 'viewer'),
        'of a role that nobody knows': await user(it, project, 'wizard'),
        stranger: await user(it, project),
        anonymous,
        'project token, all': scoped('all'),
        'project token, status': scoped('status'),
        'project token, view-builds': scoped('view-builds'),
        'token of another project': { kind: 'project', project: 'other' as never, scope: 'all' },
        'job of the project': await it.app.callers.find(held.token),
        agent: { kind: 'agent', agent: agent.id as never },
      }
      const table: Record<string, readonly string[]> = {}
      for (const [who, caller] of Object.entries(callers))
        table[who] = [await granted(it, caller, project), await granted(it, caller, open)]
      assert.deepEqual(table, {
        owner: ['read build configure', 'read build configure'],
        member: ['read build configure', 'read build configure'],
        viewer: ['read', 'read'],
        'of a role that nobody knows': ['', ''],
        stranger: ['', 'read'],
        anonymous: ['', 'read'],
        'project token, all': ['read build configure', 'read build configure'],
        'project token, status': ['', ''],
        'project token, view-builds': ['read', 'read'],
        'token of another project': ['', ''],
        'job of the project': ['read', 'read'],
        agent: ['', ''],
      })
    })

    test('what one may not see does not exist; what one sees and may not touch is forbidden', async () => {
      await using it = await smallWorld(database)
      const { project } = await givenWorkflow(it, 'build')
      const [viewer, stranger] = [await user(it, project, 'viewer'), await user(it, project)]
      const named = { provider: 'gh', org: 'ACME', repo: 'Web' }
      assert.equal((await projectFor(it.world, viewer, 'read', named)).id, project.id)
      assert.equal(
        (await projectFor(it.world, viewer, 'read', { provider: '-', org: '-', repo: project.id.toUpperCase() })).id,
        project.id,
      )
      await assert.rejects(projectFor(it.world, viewer, 'build', named), { code: 'forbidden' })
      await assert.rejects(projectFor(it.world, stranger, 'read', named), { code: 'not-found' })
      await assert.rejects(projectFor(it.world, stranger, 'build', named), { code: 'not-found' })
      await assert.rejects(projectFor(it.world, anonymous, 'read', named), { code: 'unauthenticated' })
      await assert.rejects(projectFor(it.world, viewer, 'read', { ...named, provider: 'svn' }), { code: 'not-found' })
      await assert.rejects(projectFor(it.world, anonymous, 'read', { ...named, repo: 'none' }), {
        code: 'unauthenticated',
      })
    })
  })
}
