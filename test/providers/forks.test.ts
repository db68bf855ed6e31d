import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvePipeline, getApproval, listWaitingForks, rejectPipeline } from '#contract/rh/forks.ts'
import { listProjectBuilds } from '#contract/v1/builds.ts'
import { updateProjectSettings } from '#contract/v2/project-settings.ts'
import { createVariable } from '#contract/v2/variable.ts'
import { trigger } from '#server/app/trigger.ts'
import { projectBySlug } from '#server/store/projects.ts'
import { insertIdentity } from '#server/store/accounts.ts'
import { join, newPerson } from '#test/api/people.ts'
import { deviations } from '#test/api/shape.ts'
import { listed } from '#test/api/v1-shapes.ts'
import { type House, openHouse } from './house.ts'
import { payload } from './signed.ts'

/** The job fails where it sees the secret, and where it does not have the code. */
const config = `version: 2.1
jobs:
  build:
    machine: true
    steps:
      - checkout
      - run: git fetch origin main && ! git push origin HEAD:refs/heads/evil
      - run: test -z "\${SECRET-}" && test -f fork.txt && test "$CIRCLE_PR_NUMBER" = 5 && test "$CIRCLE_PR_USERNAME" = mallory
workflows: { main: { jobs: [build] } }
`

const allow = (house: House, advanced: { build_fork_prs?: boolean; forks_receive_secret_env_vars?: boolean }) =>
  house.service.call(updateProjectSettings, { params: house.slug, body: { advanced } })

/** Somebody pushes a commit of a fork; the provider shows it as the head of pull request 5. */
async function pushFork(house: House, words: string): Promise<string> {
  const revision = await house.clone.commit(words, { 'fork.txt': words })
  await house.push('HEAD:refs/pull/5/head')
  return revision
}

const tellPull = (house: House, name: string, revision: string) =>
  house.tell(
    'pull_request',
    payload(name, (text) => text.replaceAll('2'.repeat(40), revision)),
  )

async function pipelineOf(house: House, revision: string): Promise<string> {
  const found = house.service.world.db.selectFrom('pipelines').select('id').where('revision', '=', revision)
  return (await found.executeTakeFirstOrThrow()).id
}

const statusOf = (house: House, pipeline: string) =>
  house.service.world.db.selectFrom('workflows').select('status').where('pipeline_id', '=', pipeline).executeTakeFirst()

test('the pull request of a fork is built only where that is wanted, after approval of its commit, without secrets, from our mirror', async () => {
  await using house = await openHouse('provider-a', { agentSlots: 1 }, config)
  const { service } = house
  await service.call(createVariable, { params: house.slug, body: { name: 'SECRET', value: 'hunter2-hunter2' } })
  const first = await pushFork(house, 'First')
  assert.match(await tellPull(house, 'github-pull-fork', first), /^ignored: the project does not build pull requests/)
  await allow(house, { build_fork_prs: true })
  assert.equal(await tellPull(house, 'github-pull-fork', first), 'done: pipeline 1, which waits for approval')
  assert.match(await tellPull(house, 'github-pull-fork', first), /was built before$/)
  const one = await pipelineOf(house, first)
  await service.until(async () => ((await statusOf(house, one))?.status === 'on_hold' ? true : undefined))
  const second = await pushFork(house, 'Second')
  assert.match(await tellPull(house, 'github-pull-fork', first), /has moved on/)
  assert.equal(await tellPull(house, 'github-pull-fork', second), 'done: pipeline 2, which waits for approval')
  const two = await pipelineOf(house, second)
  await service.until(async () => ((await statusOf(house, two))?.status === 'on_hold' ? true : undefined))
  const approval = async (id: string) => (await service.call(getApproval, { params: { pipeline_id: id } })).state
  assert.deepEqual([await approval(one), await approval(two)], ['waiting', 'waiting'])
  const waiting = async () => {
    const { items } = await service.call(listWaitingForks, { params: house.slug, query: {} })
    return items.map((fork) => [
      fork.pipeline_id,
      fork.revision,
      fork.subject,
      fork.pull_request.head_repository,
      fork.is_newest,
    ])
  }
  const [older, newer] = [
    [one, first, 'First', 'mallory/web', false],
    [two, second, 'Second', 'mallory/web', true],
  ]
  assert.deepEqual(await waiting(), [newer, older])
  const wrong = { params: { pipeline_id: one }, body: { revision: second } }
  await assert.rejects(service.call(approvePipeline, wrong), /409 !== 202/)
  await assert.rejects(service.call(rejectPipeline, wrong), /409 !== 202/)
  // Named by a member, it would be built with everything that the project has.
  const project = await projectBySlug(service.world.db, 'provider-a', 'acme', 'web')
  assert.ok(project)
  const how = { type: 'explicit', actor: null, parameters: {}, options: {} } as const
  const named = (revision: string) => trigger(service.world, project, { revision }, how)
  await assert.rejects(named(first), /code of a fork is built only in its pull request/)
  const body = { revision: first }
  assert.deepEqual(await service.call(approvePipeline, { params: { pipeline_id: one }, body }), {
    approved_workflows: 1,
  })
  const ended = await service.until(async () => {
    const found = await statusOf(house, one)
    return found && found.status !== 'running' ? found.status : undefined
  })
  assert.equal(ended, 'success')
  // Generation 1.1 shows what ran, as it shows any build.
  const builds = await service.call(listProjectBuilds, { params: { vcs: 'gh', org: 'acme', repo: 'web' }, query: {} })
  assert.deepEqual(deviations(builds, [listed]), [])
  const [build] = builds
  assert.deepEqual(
    [builds.length, build?.branch, build?.vcs_revision, build?.pull_requests],
    [1, 'pull/5', first, [{ head_sha: first, url: 'https://github.example.com/acme/web/pull/5' }]],
  )
  // What was approved was one commit: the other still waits.
  assert.deepEqual([await approval(one), await approval(two)], ['approved', 'waiting'])
  assert.equal((await statusOf(house, two))?.status, 'on_hold')
  assert.deepEqual(await waiting(), [newer])
  const rejected = await service.call(rejectPipeline, { params: { pipeline_id: two }, body: { revision: second } })
  assert.deepEqual(rejected, { rejected_workflows: 1 })
  assert.deepEqual([await waiting(), await approval(two)], [[], 'ended'])
  assert.equal((await statusOf(house, two))?.status, 'canceled')
  // What was rejected cannot be approved afterwards.
  const late = await service.call(approvePipeline, { params: { pipeline_id: two }, body: { revision: second } })
  assert.deepEqual(late, { approved_workflows: 0 })
  // Of the branches themselves any commit may be named.
  const own = await house.clone.git('rev-list', '--max-parents=0', 'HEAD')
  assert.equal((await named(own)).number, 3)
  const held = ['1 pull/5 fork held', '2 pull/5 fork held', '3 main trusted']
  assert.deepEqual(await house.pipelines(), held)
})

test('only where author and actor are both known members is there no need for approval: who opens again is not who wrote', async () => {
  await using house = await openHouse('provider-a')
  const { service } = house
  await allow(house, { build_fork_prs: true })
  const [grace, mallory] = [await newPerson(service.world, 'grace'), await newPerson(service.world, 'mallory')]
  await join(service.world, grace, 'acme', 'member')
  await service.world.db.transaction().execute(async (tx) => {
    for (const [subject, user_id] of [
      ['583231', grace.id],
      ['666', mallory.id],
    ] as const)
      await insertIdentity(tx, { issuer: house.webUrl, subject, user_id, created_at: service.world.now() })
  })
  const first = await pushFork(house, 'First')
  assert.equal(
    await tellPull(house, 'github-pull-fork-reopened-by-member', first),
    'done: pipeline 1, which waits for approval',
  )
  await join(service.world, mallory, 'acme', 'member')
  const second = await pushFork(house, 'Second')
  assert.equal(await tellPull(house, 'github-pull-fork', second), 'done: pipeline 2')
  await allow(house, { forks_receive_secret_env_vars: true })
  const third = await pushFork(house, 'Third')
  assert.equal(await tellPull(house, 'github-pull-fork-deleted', third), 'done: pipeline 3')
  assert.deepEqual(await house.pipelines(), ['1 pull/5 fork held', '2 pull/5 fork', '3 pull/5 trusted'])
  // What was decided stays decided.
  await allow(house, { build_fork_prs: false, forks_receive_secret_env_vars: false })
  assert.deepEqual(await house.pipelines(), ['1 pull/5 fork held', '2 pull/5 fork', '3 pull/5 trusted'])
})

/** Where each provider shows the head of a pull request, and how it tells of it. */
const others = [
  {
    provider: 'provider-b',
    event: 'pullrequest:created',
    fixture: 'bitbucket-pull-fork',
    number: 8,
    // Twelve digits are all that it tells.
    tells: (text: string, revision: string) => text.replaceAll('2'.repeat(12), revision.slice(0, 12)),
    show: async (house: House) => {
      await house.folder.create('grace/web').catch(() => {})
      await house.clone.give(house.folder.pathOf('grace/web'), 'HEAD:refs/heads/mend')
      await house.folder.refresh('grace/web')
    },
  },
  {
    provider: 'provider-c',
    event: 'Merge Request Hook',
    fixture: 'gitlab-merge-request-pushed',
    number: 12,
    tells: (text: string, revision: string) => text.replaceAll('2'.repeat(40), revision),
    show: (house: House) => house.push('HEAD:refs/merge-requests/12/head'),
  },
] as const

for (const { provider, event, fixture, number, tells, show } of others) {
  test(`the pull request of a fork at ${provider} is fetched from where that shows it, held, and built when its commit is approved`, async () => {
    const look = `test -z "\${SECRET-}" && test -f fork.txt && test "$CIRCLE_PR_NUMBER" = ${number}`
    const own = config.replace(/run: test .*/, () => `run: ${look}`)
    await using house = await openHouse(provider, { agentSlots: 1 }, own)
    const { service } = house
    await service.call(createVariable, { params: house.slug, body: { name: 'SECRET', value: 'hunter2-hunter2' } })
    await allow(house, { build_fork_prs: true })
    const revision = await house.clone.commit('Of a fork', { 'fork.txt': 'x' })
    await show(house)
    const tell = () =>
      house.tell(
        event,
        payload(fixture, (text) => tells(text, revision)),
      )
    assert.equal(await tell(), 'done: pipeline 1, which waits for approval')
    assert.match(await tell(), /was built before$/)
    const one = await pipelineOf(house, revision)
    await service.until(async () => ((await statusOf(house, one))?.status === 'on_hold' ? true : undefined))
    await service.call(approvePipeline, { params: { pipeline_id: one }, body: { revision } })
    const ended = await service.until(async () => {
      const found = await statusOf(house, one)
      return found && found.status !== 'running' ? found.status : undefined
    })
    assert.equal(ended, 'success')
    assert.deepEqual(await house.pipelines(), [`1 pull/${number} fork held`])
  })
}
