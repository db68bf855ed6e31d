import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JobId, WorkflowId } from '#core/ids.ts'
import type { Trust } from '#core/trust.ts'
import type { Plan, PlannedJob } from '#core/plan.ts'
import { insertContext } from '#server/store/contexts.ts'
import { putVariable } from '#server/store/secrets.ts'
import { workflowsOf } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { ada, claim, givenAgent, givenProject, storyOf, twoSteps } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { saveCache } from './caches.ts'
import { approveFork } from './fork-approval.ts'
import { assignmentOf } from './job-details.ts'
import { beginAll } from './process-pipeline.ts'
import { rerunWorkflow, retryBuild } from './reruns.ts'
import { addSshKey } from './ssh-keys.ts'
import { textKeeper } from './text-keeper.ts'
import { createPipeline } from './trigger.ts'
import { tell, type Told } from './workflows.ts'
import { newKeyPair } from '#server/vcs/keys.ts'

const revision = 'a'.repeat(40)

const body = {
  ...twoSteps,
  steps: [...twoSteps.steps, { type: 'add_ssh_keys', name: 'keys', when: 'on_success', fingerprints: [] } as const],
}
const job = (name: string, contexts: readonly string[] = []): PlannedJob => ({
  name,
  kind: 'build',
  needs: [],
  contexts,
  body,
})
const plan = (...jobs: readonly PlannedJob[]): Plan => ({
  version: '2.1',
  setup: false,
  workflows: [{ name: 'w', jobs }],
  notify: ['https://elsewhere.example.com/'],
})

/** A pipeline of a pull request with its workflows, as it is when it has just been compiled. */
async function givenPull(it: SmallWorld, project: ProjectRow, trust: Trust, needsApproval: boolean, wanted: Plan) {
  const { world } = it
  const told: Told[] = []
  const texts = textKeeper()
  const pipeline = await world.db.transaction().execute(async (tx) => {
    texts.begin()
    const target = { revision, branch: 'pull/5', tag: null, type: 'webhook', actor: null } as const
    const row = await createPipeline(world, tx, project, {
      ...target,
      parameters: {},
      options: {},
      trust,
      needsApproval,
    })
    await beginAll(world, tx, project, row, wanted, texts, told)
    return row
  })
  tell(world, told)
  const [workflow] = await workflowsOf(world.db, { pipeline: pipeline.id })
  return { pipeline, id: workflow?.id as WorkflowId }
}

async function givenSecrets({ world }: SmallWorld, project: ProjectRow) {
  await world.db.transaction().execute(async (tx) => {
    const at = world.now()
    const value = world.seal.close('hunter2')
    await putVariable(tx, { project_id: project.id, name: 'SECRET', value, hint: 'xxxx', created_at: at })
    await insertContext(tx, {
      id: world.newId(),
      organization_id: project.organization_id,
      name: 'prod',
      created_at: at,
    })
  })
  await addSshKey(world, project, 'example.com', newKeyPair('test').privateKey)
}

async function* bytes(): AsyncGenerator<Buffer> {
  yield Buffer.from('archive')
}

for (const database of databases) {
  describe(`pull requests of forks on ${database}`, () => {
    test('code of a fork gets no secret, no context, no key and leaves no cache; trusted code gets them all', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      await givenSecrets(it, project)
      const agent = await givenAgent(it)
      const seen: Record<string, unknown> = {}
      for (const trust of ['trusted', 'fork'] as const) {
        const { id, pipeline } = await givenPull(it, project, trust, false, plan(job('build'), job('deploy', ['prod'])))
        const held = await claim(it, agent, 9)
        const assigned = await Promise.all(held.map((one) => assignmentOf(it.world, it.app.bodyOf, one)))
        const [one] = held
        assert.ok(one)
        const saved = await saveCache(it.app, one.lease, `key-${trust}`, bytes()).then(
          () => 'saved',
          (error: Error) => error.message,
        )
        const notified = await it.world.db
          .selectFrom('notified')
          .selectAll()
          .where('pipeline_id', '=', pipeline.id)
          .execute()
        seen[trust] = {
          jobs: await storyOf(it, id),
          secrets: assigned.map(({ environment, secrets }) => [environment['SECRET'] ?? 'none', secrets.length]),
          keys: assigned.map(({ sshKeys }) => sshKeys.length),
          saves: assigned.map(({ savesCaches }) => savesCaches),
          saved,
          notified: notified.length,
        }
      }
      assert.deepEqual(seen, {
        trusted: {
          jobs: ['build running', 'deploy running', 'running'],
          secrets: [
            // With the two forms of the job's identity.
            ['hunter2', 3],
            ['hunter2', 3],
          ],
          keys: [1, 1],
          saves: [true, true],
          saved: 'saved',
          notified: 1,
        },
        fork: {
          jobs: ['build running', 'deploy unauthorized', 'failing'],
          secrets: [['none', 0]],
          keys: [0],
          saves: [false],
          saved: 'Cannot save a cache as the code must be of the project itself: it is not',
          notified: 0,
        },
      })
    })

    test('a fork whose repository lives elsewhere is read from our mirror with the token of its job, not with the key', async () => {
      await using it = await smallWorld(database)
      const made = await givenProject(it)
      await it.world.db
        .updateTable('projects')
        .set({ url: 'ssh://git@example.com/acme/web.git' })
        .where('id', '=', made.id)
        .execute()
      await givenPull(it, made, 'fork', false, plan(job('build')))
      const [held] = await claim(it, await givenAgent(it))
      assert.ok(held)
      const { checkout } = await assignmentOf(it.world, it.app.bodyOf, held)
      assert.deepEqual(
        [checkout.url, checkout.withJobToken, checkout.privateKey],
        ['http://ci.example.com/git/acme/web.git', true, null],
      )
    })

    test('nothing of it runs before its commit is approved, and approving of another commit changes nothing', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      const by = (await ada(it)).id
      const { id, pipeline } = await givenPull(it, project, 'fork', true, plan(job('build'), job('deploy', ['prod'])))
      const agent = await givenAgent(it)
      assert.deepEqual(await claim(it, agent, 9), [])
      assert.deepEqual(await storyOf(it, id), ['approve-fork on_hold', 'build blocked', 'deploy blocked', 'on_hold'])
      await assert.rejects(approveFork(it.world, by, pipeline.id, 'b'.repeat(40)), { code: 'conflict' })
      assert.deepEqual(await claim(it, agent, 9), [])
      assert.equal(await approveFork(it.world, by, pipeline.id, revision), 1)
      // The approval opens the gate, and gives the code nothing else.
      const after = await storyOf(it, id)
      assert.deepEqual(after, ['approve-fork success', 'build queued', 'deploy unauthorized', 'failing'])
      assert.equal(await approveFork(it.world, by, pipeline.id, revision), 0)
    })

    test('no rerun and no retry goes around the gate', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      const by = (await ada(it)).id
      const { id } = await givenPull(it, project, 'fork', true, plan(job('build')))
      const rows = await it.world.db.selectFrom('jobs').selectAll().where('name', '=', 'build').execute()
      const [build] = rows
      assert.ok(build)
      await assert.rejects(retryBuild(it.world, by, build), /must have been approved/)
      await assert.rejects(rerunWorkflow(it.world, by, id, { jobs: [build.id as JobId] }), /must have been approved/)
      assert.deepEqual(await claim(it, await givenAgent(it), 9), [])
    })

    test('a pipeline of the project itself needs no approval and has none to give', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      const { pipeline } = await givenPull(it, project, 'trusted', false, plan(job('build')))
      await assert.rejects(approveFork(it.world, (await ada(it)).id, pipeline.id, revision), { code: 'conflict' })
    })
  })
}
