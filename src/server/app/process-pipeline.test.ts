import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { PipelineId, WorkflowId } from '#core/ids.ts'
import { pipelineById, workflowsOf } from '#server/store/pipelines.ts'
import { commit, git, workingCopy } from '#server/vcs/lab.ts'
import { givenProject, storyOf } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { configOf } from './pipeline-config.ts'
import { abandonPipeline, processPipeline } from './process-pipeline.ts'
import { receivePush } from './pushes.ts'
import { repositoryOf } from './repositories.ts'
import { trigger } from './trigger.ts'

const config = `version: 2.1
jobs:
  build: { machine: true, steps: [checkout, run: make] }
  deploy: { machine: true, steps: [run: ./deploy] }
workflows:
  main:
    jobs:
      - build
      - hold: { type: approval, requires: [build] }
      - deploy: { requires: [hold], context: secrets }
`

/** Pushes a repository with one file and gives the pipeline that this made. */
async function pushed(it: SmallWorld, files: Readonly<Record<string, string>>) {
  const project = await givenProject(it)
  const copy = join(it.folder, 'copy')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(copy, path, '..'), { recursive: true })
    await writeFile(join(copy, path), text)
  }
  await mkdir(copy, { recursive: true })
  await workingCopy(copy)
  await git(copy, 'push', '--quiet', repositoryOf(it.world, project), 'main')
  const [pipeline] = await receivePush(it.world, it.app.findRevision, project, null)
  assert.ok(pipeline)
  return { project, copy, id: pipeline.id as PipelineId }
}

/** What became of a pipeline: its state, its errors, and the story of each of its workflows. */
async function outcomeOf(it: SmallWorld, id: PipelineId) {
  const pipeline = await pipelineById(it.world.db, { id })
  const workflows = await workflowsOf(it.world.db, { pipeline: id })
  const stories = await Promise.all(
    workflows.map(async (one) => [one.name, ...(await storyOf(it, one.id as WorkflowId))]),
  )
  return { state: pipeline?.state, errors: JSON.parse(pipeline?.errors ?? '[]') as unknown[], stories }
}

const compile = ({ world, app }: SmallWorld, id: PipelineId): Promise<void> => processPipeline(world, app.compile, id)

for (const database of databases) {
  describe(`pipelines on ${database}`, () => {
    test('a configuration becomes workflows; a context that nobody made lets its jobs not in', async () => {
      await using it = await smallWorld(database)
      const { id } = await pushed(it, { '.circleci/config.yml': config })
      it.rung.length = 0
      await compile(it, id)
      const stories = [['main', 'build queued', 'hold blocked', 'deploy blocked', 'running']]
      assert.deepEqual(await outcomeOf(it, id), { state: 'created', errors: [], stories })
      assert.ok(it.rung.includes('queue') && it.rung.includes(`pipeline:${id}`))
      const pipeline = await pipelineById(it.world.db, { id })
      assert.ok(pipeline)
      const { source, compiled } = await configOf(it.app, pipeline)
      assert.equal(source, config)
      assert.match(compiled, /deploy/)
    })

    test('processing it again, or twice at once, makes nothing more', async () => {
      await using it = await smallWorld(database)
      const { id } = await pushed(it, { '.circleci/config.yml': config })
      await Promise.all([compile(it, id), compile(it, id), compile(it, id)])
      await compile(it, id)
      assert.equal((await workflowsOf(it.world.db, { pipeline: id })).length, 1)
    })

    test('our own name of the file wins over the other one', async () => {
      await using it = await smallWorld(database)
      const { id } = await pushed(it, { '.circleci/config.yml': 'nonsense', '.service/config.yml': config })
      await compile(it, id)
      assert.equal((await outcomeOf(it, id)).state, 'created')
    })

    test('a configuration with mistakes errors the pipeline, and says where each of them is', async () => {
      await using it = await smallWorld(database)
      const { id } = await pushed(it, { '.circleci/config.yml': config.replace('      - build\n', '      - bild\n') })
      await compile(it, id)
      const { state, errors, stories } = await outcomeOf(it, id)
      assert.deepEqual([state, stories], ['errored', []])
      assert.ok(errors.length > 0)
      for (const error of errors as { type: string; message: string }[]) {
        assert.equal(error.type, 'config')
        assert.match(error.message, /^line \d+, column \d+: /)
      }
      assert.match(JSON.stringify(errors), /line 8, column 9: .*bild/)
    })

    test('a repository without a configuration errors the pipeline, and says which file was looked for', async () => {
      await using it = await smallWorld(database)
      const { id } = await pushed(it, { 'readme.md': 'hello' })
      await compile(it, id)
      const message = 'config file .circleci/config.yml could not be located on branch main in repository web'
      assert.deepEqual(await outcomeOf(it, id), {
        state: 'errored',
        errors: [{ type: 'config-fetch', message }],
        stories: [],
      })
    })

    test('a pipeline whose workflows are all filtered away is made and has none', async () => {
      await using it = await smallWorld(database)
      const filtered = config.replace(
        '      - build\n',
        '      - build: { filters: { branches: { only: release } } }\n',
      )
      const { id } = await pushed(it, { '.circleci/config.yml': filtered })
      await compile(it, id)
      assert.deepEqual(await outcomeOf(it, id), { state: 'created', errors: [], stories: [] })
    })

    test('a pipeline can be triggered for a branch, a tag, a revision, or the default branch', async () => {
      await using it = await smallWorld(database)
      const { project, copy } = await pushed(it, { '.circleci/config.yml': config })
      const first = await git(copy, 'rev-parse', 'HEAD')
      const second = await commit(copy, 'second')
      await git(copy, 'push', '--quiet', repositoryOf(it.world, project), 'main:refs/heads/dev', 'main:refs/tags/v1')
      await receivePush(it.world, it.app.findRevision, project, null)
      const how = { type: 'api', actor: null, parameters: {}, options: {} } as const
      const rows = []
      for (const target of [{}, { branch: 'dev' }, { tag: 'v1' }, { branch: 'main', revision: second }]) {
        rows.push(await trigger(it.world, project, target, how))
      }
      assert.deepEqual(
        rows.map(({ branch, tag, revision, number, state }) => [branch, tag, revision, number, state]),
        [
          ['main', null, first, 4, 'pending'],
          ['dev', null, second, 5, 'pending'],
          [null, 'v1', second, 6, 'pending'],
          ['main', null, second, 7, 'pending'],
        ],
      )
      await assert.rejects(trigger(it.world, project, { branch: 'none' }, how), {
        code: 'invalid',
        message: 'Branch not found',
      })
      await assert.rejects(trigger(it.world, project, { tag: 'none' }, how), {
        code: 'invalid',
        message: 'Tag not found',
      })
      await assert.rejects(trigger(it.world, project, { tag: 'v1', branch: 'dev' }, how), { code: 'invalid' })
      await assert.rejects(trigger(it.world, project, { revision: '--upload-pack=x' }, how), { code: 'invalid' })
    })

    test('a revision that is not in the repository errors the pipeline instead of stopping the others', async () => {
      await using it = await smallWorld(database)
      const { project } = await pushed(it, { '.circleci/config.yml': config })
      const how = { type: 'api', actor: null, parameters: {}, options: {} } as const
      const { id } = await trigger(it.world, project, { revision: 'a'.repeat(40) }, how)
      await compile(it, id as PipelineId)
      const message = `Cannot read revision ${'a'.repeat(40)} of acme/web`
      assert.deepEqual(await outcomeOf(it, id as PipelineId), {
        state: 'errored',
        errors: [{ type: 'config-fetch', message }],
        stories: [],
      })
    })

    test('a pipeline that cannot be processed is given up, once and only while it is pending', async () => {
      await using it = await smallWorld(database)
      const { id } = await pushed(it, { '.circleci/config.yml': config })
      await abandonPipeline(it.world, id, 'We broke it')
      await compile(it, id)
      assert.deepEqual(await outcomeOf(it, id), {
        state: 'errored',
        errors: [{ type: 'other', message: 'We broke it' }],
        stories: [],
      })
    })
  })
}
