import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UserId, WorkflowId } from '#core/ids.ts'
import { insertContext, insertRestriction } from '#server/store/contexts.ts'
import { insertMember, insertUser } from '#server/store/people.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { ada, givenProject, givenWorkflow, storyOf } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { denials } from './context-use.ts'
import { approveJob } from './workflows.ts'

async function givenContext(
  { world }: SmallWorld,
  project: ProjectRow,
  ...limits: readonly (readonly [string, string])[]
) {
  await world.db.transaction().execute(async (tx) => {
    const created_at = world.now()
    const id = world.newId()
    await insertContext(tx, { id, organization_id: project.organization_id, name: 'secrets', created_at })
    for (const [type, value] of limits)
      await insertRestriction(tx, { id: world.newId(), context_id: id, type, value, created_at })
  })
}

async function givenMember({ world }: SmallWorld, project: ProjectRow, login: string, role: string): Promise<UserId> {
  const id = world.newId() as UserId
  const at = world.now()
  const row = { id, login, key: login, name: login, avatar_url: null, email: null, admin: 0, created_at: at } as const
  await world.db.transaction().execute(async (tx) => {
    await insertUser(tx, row)
    await insertMember(tx, { organization_id: project.organization_id, user_id: id, role, created_at: at })
  })
  return id
}

const job = { name: 'deploy', contexts: ['secrets'] }

for (const database of databases) {
  describe(`the use of contexts on ${database}`, () => {
    test('is free where nothing restricts it, and limited by project, person, group and condition', async () => {
      await using it = await smallWorld(database)
      const { pipeline: id, project } = await givenWorkflow(it, 'build')
      const other = await givenProject(it, 'other')
      const [max, vera] = [
        await givenMember(it, project, 'max', 'member'),
        await givenMember(it, project, 'vera', 'viewer'),
      ]
      const pipeline = await pipelineById(it.world.db, { id })
      assert.ok(pipeline)
      const allowed = async (actor: string | null, ...limits: readonly (readonly [string, string])[]) => {
        await it.world.db.deleteFrom('context_restrictions').execute()
        await it.world.db.deleteFrom('contexts').execute()
        await givenContext(it, project, ...limits)
        const denialOf = await denials(it.world, it.world.db, { project, pipeline, actor }, ['secrets'])
        return denialOf(job) === undefined
      }
      assert.equal(await allowed(null), true)
      assert.equal(await allowed(max, ['project', project.id], ['project', other.id]), true)
      assert.equal(await allowed(max, ['project', other.id]), false)
      assert.equal(await allowed(max, ['user', max]), true)
      assert.equal(await allowed(vera, ['user', max]), false)
      assert.equal(await allowed(null, ['user', max]), false)
      assert.equal(await allowed(max, ['group', project.organization_id]), true)
      assert.equal(await allowed(vera, ['group', project.organization_id]), false)
      assert.equal(await allowed(vera, ['group', project.organization_id], ['user', vera]), true)
      assert.equal(await allowed(null, ['group', project.organization_id]), false)
      assert.equal(await allowed(max, ['expression', 'pipeline.git.branch == "main"']), true)
      assert.equal(await allowed(max, ['expression', 'pipeline.git.branch == "dev"'], ['user', max]), false)
    })

    test('of what follows an approval is the affair of the approver', async () => {
      await using it = await smallWorld(database)
      const { project, id, jobs } = await givenWorkflow(it, 'hold?', 'deploy: hold')
      const max = await givenMember(it, project, 'max', 'member')
      await it.world.db.updateTable('jobs').set({ contexts: '["secrets"]' }).where('name', '=', 'deploy').execute()
      await givenContext(it, project, ['user', max])
      await approveJob(it.world, (await ada(it)).id, id as WorkflowId, jobs['hold']!)
      assert.deepEqual(await storyOf(it, id), ['hold success', 'deploy unauthorized', 'unauthorized'])
    })

    test('refused to whoever began the workflow is allowed to an approver who may', async () => {
      await using it = await smallWorld(database)
      const { project, id, jobs } = await givenWorkflow(it, 'hold?', 'deploy: hold')
      const max = await givenMember(it, project, 'max', 'member')
      await it.world.db
        .updateTable('jobs')
        .set({ contexts: '["secrets"]', denied: 'not for the beginner' })
        .where('name', '=', 'deploy')
        .execute()
      await givenContext(it, project, ['user', max])
      await approveJob(it.world, max, id as WorkflowId, jobs['hold']!)
      assert.deepEqual(await storyOf(it, id), ['hold success', 'deploy queued', 'running'])
    })
  })
}
