import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PipelineId } from '#core/ids.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import { ada, givenProject, givenWorkflow, storyOf } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { changeSettings } from './project-settings.ts'
import { cancelForgotten, cancelRedundant } from './redundant.ts'
import { rerunWorkflow } from './reruns.ts'
import { createPipeline } from './trigger.ts'
import { approveJob } from './workflows.ts'

const day = 24 * 60 * 60 * 1000

async function cancelling(it: SmallWorld): Promise<ProjectRow> {
  const project = await givenProject(it)
  await changeSettings(it.world, await ada(it), project, { autocancelBuilds: true })
  const changed = await projectById(it.world.db, { id: project.id })
  assert.ok(changed)
  return changed
}

const onBranch = (it: SmallWorld, pipeline: PipelineId, branch: string) =>
  it.world.db.updateTable('pipelines').set({ branch }).where('id', '=', pipeline).execute()

const newer = (it: SmallWorld, project: ProjectRow, branch: string, type: 'webhook' | 'api' | 'scheduled_pipeline') =>
  it.world.db.transaction().execute((tx) =>
    createPipeline(it.world, tx, project, {
      type,
      actor: null,
      revision: '1'.repeat(40),
      branch,
      tag: null,
      parameters: {},
      options: {},
    }),
  )

for (const database of databases) {
  describe(`workflows that nobody waits for on ${database}`, () => {
    test('are canceled when a newer pipeline of their branch comes, where the project wants that', async () => {
      await using it = await smallWorld(database)
      const project = await cancelling(it)
      const { id, pipeline } = await givenWorkflow(it, 'build', 'deploy: build')
      await onBranch(it, pipeline, 'feature')
      await cancelRedundant(it.world, project, { branch: 'feature', definition_id: '' })
      assert.equal((await storyOf(it, id)).at(-1), 'running')
      await newer(it, project, 'other', 'api')
      await newer(it, project, 'feature', 'scheduled_pipeline')
      await cancelRedundant(it.world, project, { branch: 'feature', definition_id: '' })
      assert.equal((await storyOf(it, id)).at(-1), 'running')
      await newer(it, project, 'feature', 'webhook')
      await cancelRedundant(it.world, project, { branch: 'feature', definition_id: '' })
      assert.deepEqual(await storyOf(it, id), ['build canceled', 'deploy canceled', 'canceled'])
    })

    test('go on without the setting, on the default branch, as reruns, and when they are older than the setting', async () => {
      await using it = await smallWorld(database)
      const old = await givenWorkflow(it, 'build')
      await onBranch(it, old.pipeline, 'feature')
      it.wait(1)
      const unset = await givenProject(it)
      await newer(it, unset, 'feature', 'api')
      await cancelRedundant(it.world, unset, { branch: 'feature', definition_id: '' })
      const project = await cancelling(it)
      await cancelRedundant(it.world, project, { branch: 'feature', definition_id: '' })
      assert.equal((await storyOf(it, old.id)).at(-1), 'running')

      const main = await givenWorkflow(it, 'build')
      await newer(it, project, 'main', 'api')
      await cancelRedundant(it.world, project, { branch: 'main', definition_id: '' })
      assert.equal((await storyOf(it, main.id)).at(-1), 'running')

      const held = await givenWorkflow(it, 'hold?')
      await onBranch(it, held.pipeline, 'feature')
      const { id: by } = await ada(it)
      await approveJob(it.world, by, held.id, held.jobs['hold']!)
      const again = await rerunWorkflow(it.world, by, held.id, {})
      await newer(it, project, 'feature', 'api')
      await cancelRedundant(it.world, project, { branch: 'feature', definition_id: '' })
      assert.equal((await storyOf(it, again)).at(-1), 'on_hold')
    })

    test('are canceled after ninety days', async () => {
      await using it = await smallWorld(database)
      const { id } = await givenWorkflow(it, 'hold?', 'deploy: hold')
      it.wait(89 * day)
      await cancelForgotten(it.world)
      assert.equal((await storyOf(it, id)).at(-1), 'on_hold')
      it.wait(day + 1)
      assert.equal(await cancelForgotten(it.world), false)
      assert.deepEqual(await storyOf(it, id), ['hold canceled', 'deploy canceled', 'canceled'])
    })
  })
}
