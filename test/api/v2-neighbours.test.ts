import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listProjectPipelines } from '#contract/v2/pipeline.ts'
import { getProjectSettings, updateProjectSettings } from '#contract/v2/project-settings.ts'
import { cancelJobById, getPipelineValues } from '#contract/v2/run.ts'
import { listWorkflowJobs } from '#contract/v2/workflow.ts'
import { messageOf, valueOf } from './ask.ts'
import { config, openFarm, slug } from './farm.ts'
import { openService, type Service } from './service.ts'

const headers = { 'content-type': 'application/json' }

const run = (service: Service, token: string, body: unknown) =>
  service.ask({
    method: 'POST',
    path: '/api/v2/project/gh/acme/web/pipeline/run',
    token,
    headers,
    body: JSON.stringify(body),
  })

describe('what newer clients of generation 2 call', () => {
  test('settings are read and changed in part, and decide who may read the project', async () => {
    await using service = await openService()
    const { ada, member } = await openFarm(service)
    const before = await service.call(getProjectSettings, { params: slug }, ada.token)
    assert.deepEqual(before, {
      advanced: {
        autocancel_builds: false,
        build_fork_prs: false,
        build_prs_only: false,
        disable_ssh: false,
        forks_receive_secret_env_vars: false,
        oss: false,
        set_github_status: true,
        setup_workflows: true,
        write_settings_requires_admin: false,
        pr_only_branch_overrides: ['main'],
      },
    })
    const change = (advanced: Partial<(typeof before)['advanced']>, token = ada.token) =>
      service.call(updateProjectSettings, { params: slug, body: { advanced } }, token)
    const anonymous = async () => (await service.ask({ method: 'GET', path: '/api/v2/project/gh/acme/web' })).status
    assert.equal(await anonymous(), 401)
    const after = await change({ oss: true, pr_only_branch_overrides: [] }, member.token)
    assert.deepEqual(after, { advanced: { ...before.advanced, oss: true, pr_only_branch_overrides: [] } })
    assert.equal(await anonymous(), 200)
    await change({ write_settings_requires_admin: true })
    const patch = async (token: string, body: unknown) => {
      const path = '/api/v2/project/gh/acme/web/settings'
      return (await service.ask({ method: 'PATCH', path, token, headers, body: JSON.stringify(body) })).status
    }
    assert.equal(await patch(member.token, { advanced: { oss: false } }), 403)
    assert.equal(await patch(ada.token, { advanced: { oss: 'yes' } }), 400)
    assert.equal(await patch(ada.token, { advanced: { unheard_of: true } }), 400)
    assert.equal(await patch(ada.token, {}), 400)
    assert.equal((await service.call(getProjectSettings, { params: slug }, ada.token)).advanced.oss, true)
  })

  test('a run takes branch or tag from config or checkout, and is refused where they do not exist', async () => {
    await using service = await openService()
    const { ada, project } = await openFarm(service)
    const made = await run(service, ada.token, {
      definition_id: project.id,
      config: { branch: 'main' },
      checkout: { branch: 'main' },
      parameters: {},
    })
    assert.equal(made.status, 201)
    assert.equal((valueOf(made) as { number: number }).number, 2)
    assert.equal((await run(service, ada.token, {})).status, 201)
    const bad = [
      { config: { branch: 'main' }, checkout: { branch: 'other' } },
      { checkout: { branch: 'main', tag: 'v1' } },
      { checkout: { branch: 'none' } },
      { parameters: { deep: {} } },
    ]
    for (const body of bad) assert.equal((await run(service, ada.token, body)).status, 400, JSON.stringify(body))
    assert.equal((await run(service, ada.token, { definition_id: service.world.newId() })).status, 404)
    const { items } = await service.call(listProjectPipelines, { params: slug, query: {} }, ada.token)
    assert.deepEqual(
      items.map(({ number }) => number),
      [3, 2, 1],
    )
  })

  test('a run of a commit that asks not to be built makes none, and says so', async () => {
    await using service = await openService()
    const { ada } = await openFarm(service)
    await service.push('acme/web', { '.service/config.yml': config }, ['quiet'], ada.token, 'Words only [skip ci]')
    const answer = await run(service, ada.token, { checkout: { branch: 'quiet' } })
    assert.equal(answer.status, 200)
    assert.match(messageOf(answer), /not created/)
    const { items } = await service.call(listProjectPipelines, { params: slug, query: {} }, ada.token)
    assert.equal(items.length, 1)
  })

  test('the values of a pipeline are texts under their full names', async () => {
    await using service = await openService()
    const { ada, workflow, revision } = await openFarm(service)
    const params = { pipeline_id: workflow.pipeline_id }
    const values = await service.call(getPipelineValues, { params }, ada.token)
    assert.equal(values['pipeline.number'], '1')
    assert.equal(values['pipeline.git.revision'], revision)
    assert.equal(values['pipeline.git.branch'], 'main')
    assert.equal(values['pipeline.git.branch.is_default'], 'true')
    assert.ok(Object.values(values).every((value) => typeof value === 'string'))
  })

  test('a job is canceled by its id, an approval too', async () => {
    await using service = await openService()
    const { ada, workflow, jobs } = await openFarm(service)
    const hold = jobs.find(({ name }) => name === 'hold')
    assert.deepEqual(await service.call(cancelJobById, { params: { job_id: hold?.id ?? '' } }, ada.token), {
      message: 'Job canceled successfully.',
    })
    const { items } = await service.call(listWorkflowJobs, { params: { id: workflow.id }, query: {} }, ada.token)
    assert.deepEqual(
      items.map(({ name, status, canceled_by }) => [name, status, canceled_by]),
      [
        ['build', 'running', undefined],
        ['hold', 'canceled', ada.id],
        ['deploy', 'not_run', undefined],
      ],
    )
  })
})
