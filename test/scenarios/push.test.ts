import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPerson } from '#test/api/people.ts'
import { newClone } from '#test/api/repository.ts'
import { openService } from '#test/api/service.ts'
import { watch } from './watch.ts'

const config = (command: string) => `version: 2.1
jobs:
  build:
    machine: true
    steps:
      - checkout
      - run: { name: work, command: ${JSON.stringify(command)} }
workflows:
  main:
    jobs:
      - build: { filters: { tags: { only: /.*/ } } }
`

test('one push of branches and tags builds each of them, from a checkout that the job token opens', async () => {
  await using service = await openService({ agentSlots: 2 })
  const ada = await newPerson(service.world, 'ada')
  const { pipelines, workflowOf, workflowIs, jobsOf, logOf } = watch(service, 'web', ada.token)
  await using clone = await newClone()
  const revision = await clone.commit('Begin', {
    '.circleci/config.yml': config('cat note; git rev-parse HEAD'),
    note: 'a note\n',
  })
  for (const branch of ['one', 'deep/er/two']) await clone.git('branch', branch)
  await clone.git('tag', 'v1')
  await clone.git('tag', '--annotate', '--message', 'Two', 'v2')
  await clone.git('push', '--quiet', service.remote('acme/web', ada.token), '--all')
  await clone.git('push', '--quiet', service.remote('acme/web', ada.token), '--tags')
  const refs = ['main', 'one', 'deep/er/two', 'v1', 'v2']
  for (const ref of refs) {
    const workflow = await workflowOf(ref)
    assert.equal((await workflowIs(workflow.id, workflow.pipeline_id, 'success', 'failed')).status, 'success', ref)
    const [job] = await jobsOf(workflow.id)
    assert.equal(await logOf(job?.id ?? '', 'work'), `a note\n${revision}\n`)
  }
  const made = await pipelines()
  assert.equal(made.length, refs.length)
  assert.deepEqual(
    [...new Set(made.map(({ trigger, vcs }) => `${trigger.type} ${trigger.actor.login} ${vcs?.revision}`))],
    [`webhook ada ${revision}`],
  )

  await clone.git('push', '--quiet', service.remote('acme/web', ada.token), '--delete', 'one')
  await clone.commit('Nothing to see [ci skip]', { note: 'another' })
  await clone.git('push', '--quiet', service.remote('acme/web', ada.token), 'main')
  assert.equal((await pipelines()).length, refs.length)
})

test('a repository is private until its owner says otherwise', async () => {
  await using service = await openService()
  const [ada, sam] = [await newPerson(service.world, 'ada'), await newPerson(service.world, 'sam')]
  await service.push('acme/web', { '.service/config.yml': config('true') }, ['main'], ada.token)
  const path = '/git/acme/web.git/info/refs?service=git-upload-pack'
  const nobody = await service.ask({ method: 'GET', path })
  assert.deepEqual([nobody.status, nobody.headers['www-authenticate']], [401, 'Basic realm="Roundhouse"'])
  assert.equal((await service.ask({ method: 'GET', path, token: sam.token })).status, 404)
  assert.equal((await service.ask({ method: 'GET', path, token: 'rhu_nobody' })).status, 401)
  assert.equal((await service.ask({ method: 'GET', path: path.replace('web', 'none'), token: sam.token })).status, 404)
  await using clone = await newClone()
  await clone.commit('Mine', { file: 'x' })
  await clone.git('fetch', '--quiet', service.remote('acme/web', ada.token), 'main')
  await assert.rejects(clone.git('fetch', '--quiet', service.remote('acme/web', sam.token), 'main'), /not found/)
  await assert.rejects(
    clone.git('push', '--quiet', service.remote('acme/web', sam.token), 'HEAD:refs/heads/evil'),
    /not found|403/,
  )
  await assert.rejects(
    clone.git('push', '--quiet', service.remote('acme/other', sam.token), 'HEAD:refs/heads/main'),
    /403/,
  )
  await assert.rejects(clone.git('fetch', '--quiet', service.remote('acme/web', ''), 'main'))
  assert.equal((await watch(service, 'web', ada.token).pipelines()).length, 1)

  await service.world.db.updateTable('projects').set({ public: 1 }).execute()
  await clone.git('fetch', '--quiet', service.remote('acme/web', ''), 'main')
  await assert.rejects(
    clone.git('push', '--quiet', service.remote('acme/web', sam.token), 'HEAD:refs/heads/evil'),
    /403/,
  )
})

test('a configuration with mistakes makes an errored pipeline that tells where they are', async () => {
  await using service = await openService()
  const ada = await newPerson(service.world, 'ada')
  const { pipelineOf } = watch(service, 'web', ada.token)
  const wrong = {
    unknown: [
      'version: 2.1\njobs:\n  build:\n    machine: true\n    steps: [checkout]\nworkflows:\n  main:\n    jobs:\n      - biuld\n',
      /^line 9, column \d+: .*biuld/,
    ],
    yaml: ['version: 2.1\njobs:\n  build: [\n', /^line \d+, column \d+: /],
    step: [
      'version: 2.1\njobs:\n  build:\n    machine: true\n    steps:\n      - rnu: echo\nworkflows:\n  main:\n    jobs: [build]\n',
      /^line 6, column \d+: .*rnu/,
    ],
  } as const
  for (const [branch, [text, why]] of Object.entries(wrong)) {
    await service.push('acme/web', { '.service/config.yml': text }, [branch], ada.token)
    const { state, errors } = await pipelineOf(branch)
    assert.equal(state, 'errored')
    assert.deepEqual([...new Set(errors.map(({ type }) => type))], ['config'])
    assert.ok(
      errors.some(({ message }) => why.test(message)),
      JSON.stringify(errors),
    )
  }
  await service.push('acme/web', { 'readme.md': 'no configuration' }, ['none'], ada.token)
  const { state, errors } = await pipelineOf('none')
  assert.deepEqual([state, errors.map(({ type }) => type)], ['errored', ['config-fetch']])
})
