import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { projectById, projectBySlug, projectsOfOrganization } from '#server/store/projects.ts'
import { ada, givenProject, givenWorkflow } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { openApp } from './app.ts'
import { clearGone } from './clear-gone.ts'
import { removeProject } from './delete-project.ts'
import { repositoryOf } from './repositories.ts'

const count = async ({ world }: SmallWorld, table: 'pipelines' | 'run_facts' | 'refs' | 'queue' | 'projects') => {
  const rows = await world.db.selectFrom(table).selectAll().execute()
  return rows.length
}

for (const database of databases) {
  describe(`a project with much in it that is deleted, on ${database}`, () => {
    test('is hidden and its name free at once; it is cleared away in pieces, also by whoever comes after a restart', async () => {
      await using it = await smallWorld(database)
      const user = await ada(it)
      const project = await givenProject(it)
      for (let number = 0; number < 5; number++) await givenWorkflow(it, 'build', 'deploy: build')
      const refs = Array.from({ length: 9 }, (_, index) => ({
        project_id: project.id,
        name: `refs/heads/${index}`,
        revision: '1'.repeat(40),
        updated_at: it.world.now(),
      }))
      await it.world.db.insertInto('refs').values(refs).execute()
      const folder = repositoryOf(it.world, project)

      await removeProject(it.app, user, project)
      const found = [
        await projectById(it.world.db, { id: project.id }),
        await projectBySlug(it.world.db, project.provider, project.organization, project.name),
        ...(await projectsOfOrganization(it.world.db, { organization: project.organization_id })),
      ]
      assert.deepEqual(found, [undefined, undefined])
      assert.equal(await count(it, 'queue'), 0)
      const again = await givenProject(it)
      assert.notEqual(again.id, project.id)

      let turns = 0
      while (await clearGone(it.world, { pipelines: 3, rows: 4 })) {
        turns++
        assert.ok(turns < 100)
        if (turns === 3) assert.ok((await count(it, 'pipelines')) > 0, 'all of it went at once')
        // A process that starts now knows only what the database says.
        if (turns === 2) openApp(it.world)
      }
      assert.ok(turns >= 6, `it went in ${turns} turns`)
      assert.deepEqual([await count(it, 'pipelines'), await count(it, 'refs'), existsSync(folder)], [0, 0, false])
      const left = await it.world.db.selectFrom('projects').select('id').execute()
      assert.deepEqual(
        left.map(({ id }) => id),
        [again.id],
      )
      assert.deepEqual(it.logged, [])
    })

    test('keeps nobody from being cleared away where one of them cannot be', async () => {
      await using it = await smallWorld(database)
      const user = await ada(it)
      const [stuck, other] = [await givenProject(it, 'stuck'), await givenProject(it, 'other')]
      await removeProject(it.app, user, stuck)
      it.wait(1_000)
      await removeProject(it.app, user, other)
      const world = {
        ...it.world,
        blobs: it.world.blobs,
        get repositories(): string {
          throw new Error('no disk')
        },
      }
      assert.equal(await clearGone(world), false)
      assert.equal(await count(it, 'projects'), 2)
      assert.equal(it.logged.length, 2)
      while (await clearGone(it.world));
      assert.deepEqual([await count(it, 'projects'), it.logged.slice(2)], [0, []])
    })
  })
}
