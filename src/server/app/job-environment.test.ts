import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { insertContext } from '#server/store/contexts.ts'
import { keepText } from '#server/store/texts.ts'
import { ada, claim, end, type Given, givenAgent, givenWorkflow, twoSteps } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { setContextVariable } from './contexts.ts'
import { assignmentOf } from './job-details.ts'
import { rerunWorkflow } from './reruns.ts'
import { setVariable } from './variables.ts'

type Words = Readonly<Record<string, string>>

/** What the next job gets, and what must not be seen of it. */
async function nextJob(it: SmallWorld) {
  const [held] = await claim(it, await givenAgent(it))
  assert.ok(held)
  const assignment = await assignmentOf(it.world, it.app.bodyOf, held)
  await end(it, held)
  return assignment
}

/** The built-in variables without their prefix: that they are the same under both is checked on the way. */
function builtIn(environment: Words): Words {
  const told = Object.entries(environment).filter(([name]) => !name.includes('_OIDC_TOKEN'))
  const found = told.flatMap(([name, value]) => {
    if (name.startsWith('SERVICE_')) assert.equal(environment[name.replace('SERVICE_', 'CIRCLE_')], value, name)
    return name.startsWith('CIRCLE_') ? [[name.slice('CIRCLE_'.length), value] as const] : []
  })
  assert.equal(told.filter(([name]) => name.startsWith('SERVICE_')).length, found.length)
  return Object.fromEntries(found)
}

const change = ({ world }: SmallWorld, { pipeline }: Given, to: object) =>
  world.db.updateTable('pipelines').set(to).where('id', '=', pipeline).execute()

for (const database of databases) {
  describe(`the environment of a job on ${database}`, () => {
    test('has every built-in variable of a push, under both prefixes', async () => {
      await using it = await smallWorld(database)
      const { id: actor_id } = await ada(it)
      const given = await givenWorkflow(it, 'build')
      await change(it, given, { actor_id, base_revision: '2'.repeat(40) })
      const { environment } = await nextJob(it)
      const { project } = given
      const page = 'http://ci.example.com/git/acme/web'
      assert.deepEqual([environment['CI'], environment['CIRCLECI']], ['true', 'true'])
      assert.deepEqual(builtIn(environment), {
        BRANCH: 'main',
        BUILD_NUM: '1',
        BUILD_URL: 'http://ci.example.com/provider-a/acme/web/1',
        COMPARE_URL: `${page}/compare/${'2'.repeat(12)}...${'1'.repeat(12)}`,
        JOB: 'build',
        NODE_INDEX: '0',
        NODE_TOTAL: '1',
        ORGANIZATION_ID: project.organization_id,
        PIPELINE_ID: given.pipeline,
        PIPELINE_NUMBER: '1',
        PROJECT_ID: project.id,
        PROJECT_REPONAME: 'web',
        PROJECT_USERNAME: 'acme',
        REPOSITORY_URL: `${page}.git`,
        SERVER_URL: 'http://ci.example.com',
        SHA1: '1'.repeat(40),
        STAGE: 'build',
        USERNAME: 'ada',
        WORKFLOW_ID: given.id,
        WORKFLOW_JOB_ID: given.jobs['build'],
        WORKFLOW_WORKSPACE_ID: given.id,
        WORKING_DIRECTORY: '~/project',
      })
    })

    test('names the jobs before it, and the build before it on its branch', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'build', 'lint', 'deploy: build lint')
      const seen = [await nextJob(it), await nextJob(it), await nextJob(it)].map(({ environment }) => environment)
      const told = (name: string) => seen.map((environment) => builtIn(environment)[name])
      assert.deepEqual(told('PREVIOUS_BUILD_NUM'), [undefined, ...told('BUILD_NUM').slice(0, 2)])
      const { build, lint } = given.jobs
      assert.deepEqual(told('WORKFLOW_UPSTREAM_JOB_IDS'), [undefined, undefined, `${build},${lint}`])
    })

    test('has a tag and no branch of a tag, and its pull request of a pull request', async () => {
      await using it = await smallWorld(database)
      await change(it, await givenWorkflow(it, 'build'), { branch: null, tag: 'v1' })
      const tagged = builtIn((await nextJob(it)).environment)
      assert.deepEqual([tagged['BRANCH'], tagged['TAG'], tagged['COMPARE_URL']], [undefined, 'v1', undefined])

      await change(it, await givenWorkflow(it, 'build'), { branch: 'pull/7' })
      const { environment } = await nextJob(it)
      const { BRANCH, PR_NUMBER, PULL_REQUEST, PULL_REQUESTS } = builtIn(environment)
      const url = 'http://ci.example.com/git/acme/web/pull/7'
      assert.deepEqual([BRANCH, PR_NUMBER, PULL_REQUEST, PULL_REQUESTS], ['pull/7', '7', url, url])
      assert.deepEqual([environment['CI_PULL_REQUEST'], environment['CI_PULL_REQUESTS']], [url, url])
    })

    test('names the same workspace in a rerun', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'build')
      await nextJob(it)
      const again = await rerunWorkflow(it.world, (await ada(it)).id, given.id, {})
      const { WORKFLOW_ID, WORKFLOW_WORKSPACE_ID } = builtIn((await nextJob(it)).environment)
      assert.deepEqual([WORKFLOW_ID, WORKFLOW_WORKSPACE_ID], [again, given.id])
    })

    test('is made in order: project, contexts, built-in, trigger, configuration; what was sealed stays a secret', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'build')
      const { world } = it
      const person = await ada(it)
      const names = ['PROJECT', 'FIRST', 'SECOND', 'CIRCLE_JOB', 'TRIGGER', 'CONFIG']
      for (const name of names) await setVariable(world, given.project, name, `project ${name}`)
      for (const [i, name] of ['one', 'two'].entries()) {
        const id = world.newId()
        const row = { id, organization_id: given.project.organization_id, name, created_at: world.now() }
        await world.db.transaction().execute((tx) => insertContext(tx, row))
        for (const variable of names.slice(i + 1))
          await setContextVariable(world, person, id, variable, `context ${name}`)
      }
      const environment = [['CONFIG', 'configuration']] as const
      const body_hash = await world.db
        .transaction()
        .execute((tx) => keepText(tx, JSON.stringify({ ...twoSteps, environment })))
      await world.db.updateTable('jobs').set({ body_hash, contexts: '["one","two"]' }).execute()
      const buildParameters = { TRIGGER: 'trigger', CONFIG: 'trigger' }
      await change(it, given, { options: JSON.stringify({ buildParameters }) })
      const { environment: made, secrets } = await nextJob(it)
      assert.deepEqual(
        names.map((name) => made[name]),
        ['project PROJECT', 'context one', 'context two', 'build', 'trigger', 'configuration'],
      )
      assert.deepEqual(secrets.filter((secret) => !secret.startsWith('ey')).toSorted(), [
        'context one',
        'context two',
        'context two',
        'context two',
        'context two',
        'project PROJECT',
      ])
    })
  })
}
