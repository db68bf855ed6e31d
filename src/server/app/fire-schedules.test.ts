import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PipelineId } from '#core/ids.ts'
import { delayOf } from '#core/timetable.ts'
import { putRef } from '#server/store/refs.ts'
import { branchSchedulesOf } from '#server/store/branch-schedules.ts'
import { scheduleById } from '#server/store/schedules.ts'
import { keepText } from '#server/store/texts.ts'
import { ada, givenProject } from '#test/given.ts'
import { databases, noon, smallWorld, type SmallWorld } from '#test/world.ts'
import { fireSchedules } from './fire-schedules.ts'
import { processPipeline } from './process-pipeline.ts'
import { changeSchedule, createSchedule, type ScheduleForm } from './schedules.ts'
import { createPipeline } from './trigger.ts'

const head = '1'.repeat(40)
const hour = 3_600_000
const hourly: ScheduleForm = {
  name: 'hourly',
  description: null,
  timetable: { perHour: 1, hoursOfDay: Array.from({ length: 24 }, (_, i) => i), daysOfWeek: ['FRI', 'SAT'] },
  parameters: { branch: 'main', deep: true },
  attribution: 'current',
}

/** A project whose `main` has a configuration that no repository holds. */
async function given(it: SmallWorld, config: string, subject = 'Begin') {
  const project = await givenProject(it)
  await it.world.db.transaction().execute(async (tx) => {
    await putRef(tx, project.id, 'refs/heads/main', head, noon)
    const author = { name: 'Ada', email: 'ada@example.com', date: noon }
    const details = JSON.stringify({ subject, body: '', author, committer: author })
    const row = {
      project_id: project.id,
      revision: head,
      details,
      config_path: '.circleci/config.yml',
      created_at: noon,
    }
    await tx
      .insertInto('revisions')
      .values({ ...row, config_hash: await keepText(tx, config) })
      .execute()
  })
  return project
}

const plain =
  'version: 2.1\nparameters: {deep: {type: boolean, default: false}}\njobs: {build: {machine: true, steps: [{run: echo << pipeline.schedule.name >>}]}}\n'

const pipelines = ({ world }: SmallWorld) =>
  world.db
    .selectFrom('pipelines')
    .select(['id', 'trigger_type', 'parameters', 'actor_id', 'options', 'branch'])
    .orderBy('id')
    .execute()

const compile = (it: SmallWorld, id: string) => processPipeline(it.world, it.app.compile, id as PipelineId)

for (const database of databases) {
  describe(`schedules on ${database}`, () => {
    test('make one pipeline at their time, with their parameters, in the name of whoever made them', async () => {
      await using it = await smallWorld(database)
      const project = await given(it, plain)
      const me = await ada(it)
      const { row } = await createSchedule(it.world, me, project, hourly)
      assert.equal(await fireSchedules(it.world), false)
      it.wait(delayOf(row.id, 1) + 1)
      await Promise.all([fireSchedules(it.world), fireSchedules(it.world), fireSchedules(it.world)])
      const made = await pipelines(it)
      assert.deepEqual(
        made.map(({ id: _, ...rest }) => rest),
        [
          {
            trigger_type: 'scheduled_pipeline',
            parameters: '{"deep":true}',
            actor_id: me.id,
            options: JSON.stringify({ schedule: { id: row.id, name: 'hourly' } }),
            branch: 'main',
          },
        ],
      )
      await compile(it, made[0]?.id ?? '')
      const texts = await it.world.db.selectFrom('texts').select('text').execute()
      assert.ok(texts.some(({ text }) => text.includes('echo hourly')))
      it.wait(hour)
      await fireSchedules(it.world)
      assert.equal((await pipelines(it)).length, 2)
    })

    test('run a commit that asks not to be built: they were made for what lies there at their time', async () => {
      await using it = await smallWorld(database)
      const project = await given(it, plain, 'Words only [skip ci]')
      const { row } = await createSchedule(it.world, await ada(it), project, hourly)
      it.wait(delayOf(row.id, 1) + 1)
      await fireSchedules(it.world)
      assert.equal((await pipelines(it)).length, 1)
    })

    test('that were missed fire once if that was not long ago, and otherwise not at all', async () => {
      await using it = await smallWorld(database)
      const { row } = await createSchedule(it.world, await ada(it), await given(it, plain), hourly)
      it.wait(5 * hour)
      await fireSchedules(it.world)
      await fireSchedules(it.world)
      assert.equal((await pipelines(it)).length, 0)
      it.wait(hour - 1)
      await fireSchedules(it.world)
      await fireSchedules(it.world)
      assert.equal((await pipelines(it)).length, 1)
      const next = (await scheduleById(it.world.db, { id: row.id }))?.next_at ?? ''
      assert.ok(next > it.world.now())
    })

    test('do not fire where the branch is gone or the actor is nobody any more', async () => {
      await using it = await smallWorld(database)
      const project = await given(it, plain)
      const me = await ada(it)
      const { row } = await createSchedule(it.world, me, project, { ...hourly, parameters: { branch: 'gone' } })
      const other = await createSchedule(it.world, { ...me, id: 'nobody' as typeof me.id }, project, hourly)
      it.wait(hour)
      await fireSchedules(it.world)
      assert.equal((await pipelines(it)).length, 0)
      await changeSchedule(it.world, me, row.id, { parameters: { branch: 'main' }, attribution: 'system' })
      await changeSchedule(it.world, me, other.row.id, { timetable: { hoursOfDay: [3] } })
      it.wait(hour)
      await fireSchedules(it.world)
      assert.deepEqual(
        (await pipelines(it)).map(({ actor_id, branch }) => [actor_id, branch]),
        [[null, 'main']],
      )
    })
  })

  describe(`scheduled workflows on ${database}`, () => {
    const nightly = `version: 2.1
jobs: {build: {machine: true, steps: [checkout]}}
workflows:
  push: {jobs: [build]}
  nightly: {triggers: [{schedule: {cron: 0 0 * * *, filters: {branches: {only: main}}}}], jobs: [build]}
  never: {triggers: [{schedule: {cron: 0 0 * * *, filters: {branches: {only: other}}}}], jobs: [build]}
`
    const workflowsOf = async (it: SmallWorld, pipeline: string) =>
      (await it.world.db.selectFrom('workflows').select('name').where('pipeline_id', '=', pipeline).execute()).map(
        ({ name }) => name,
      )

    test('run at their time, alone, and never with a push', async () => {
      await using it = await smallWorld(database)
      const project = await given(it, nightly)
      const target = { revision: head, branch: 'main', tag: null, actor: null, parameters: {}, options: {} }
      const pushed = await it.world.db
        .transaction()
        .execute((tx) => createPipeline(it.world, tx, project, { ...target, type: 'webhook' }))
      await compile(it, pushed.id)
      assert.deepEqual(await workflowsOf(it, pushed.id), ['push'])
      const kept = await branchSchedulesOf(it.world.db, { project: project.id, branch: 'main' })
      assert.deepEqual(
        kept.map(({ workflow, next_at }) => [workflow, next_at]),
        [['nightly', '2026-01-03T00:00:00.000Z']],
      )
      it.wait(12 * hour)
      await Promise.all([fireSchedules(it.world), fireSchedules(it.world)])
      const made = (await pipelines(it)).filter(({ trigger_type: type }) => type === 'scheduled_pipeline')
      assert.equal(made.length, 1)
      await compile(it, made[0]?.id ?? '')
      assert.deepEqual(await workflowsOf(it, made[0]?.id ?? ''), ['nightly'])
    })

    test('are forgotten when the head of the branch wants them no more, and when the branch is gone', async () => {
      await using it = await smallWorld(database)
      const project = await given(it, nightly)
      const target = { branch: 'main', tag: null, actor: null, parameters: {}, options: {}, type: 'webhook' } as const
      const push = async (revision: string) => {
        const row = await it.world.db
          .transaction()
          .execute((tx) => createPipeline(it.world, tx, project, { ...target, revision }))
        await compile(it, row.id)
      }
      const names = async () =>
        (await branchSchedulesOf(it.world.db, { project: project.id, branch: 'main' })).map(({ workflow }) => workflow)
      await push(head)
      assert.deepEqual(await names(), ['nightly'])
      await it.world.db.deleteFrom('refs').execute()
      it.wait(12 * hour)
      await fireSchedules(it.world)
      assert.deepEqual(await names(), [])
      assert.equal((await pipelines(it)).length, 1)
    })
  })
}
