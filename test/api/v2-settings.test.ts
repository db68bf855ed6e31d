import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listProjectPipelines } from '#contract/v2/pipeline.ts'
import { updateProjectSettings } from '#contract/v2/project-settings.ts'
import { messageOf } from './ask.ts'
import { config, openFarm, slug } from './farm.ts'
import { openService, type Service } from './service.ts'

const json = { 'content-type': 'application/json' }
const setup = `version: 2.1
setup: true
jobs:
  make: { machine: true, steps: [run: echo made] }
workflows:
  main: { jobs: [make] }
`

const pipelines = async (service: Service, token: string) =>
  (await service.call(listProjectPipelines, { params: slug, query: {} }, token)).items

describe('what the settings of a project say is done', () => {
  test('disable_ssh lets nobody into jobs, in either generation', async () => {
    await using service = await openService()
    const { ada, workflow, job, jobs } = await openFarm(service)
    await service.call(updateProjectSettings, { params: slug, body: { advanced: { disable_ssh: true } } }, ada.token)
    const ask = (path: string, body?: unknown) =>
      service.ask({ method: 'POST', path, token: ada.token, headers: json, body: JSON.stringify(body ?? {}) })
    const first = jobs.find(({ name }) => name === 'build')?.id
    const answers = [
      await ask(`/api/v2/workflow/${workflow.id}/rerun`, { enable_ssh: true, jobs: [first] }),
      await ask(`/api/v1.1/project/gh/acme/web/${job.number}/ssh`),
      await ask(`/api/v1.1/project/gh/acme/web/${job.number}/ssh-users`),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 400, answer.text)
      assert.match(messageOf(answer), /SSH is disabled/)
    }
  })

  test('setup_workflows switched off makes a setup configuration an error that says so', async () => {
    await using service = await openService()
    const { ada } = await openFarm(service)
    const change = (setup_workflows: boolean) =>
      service.call(updateProjectSettings, { params: slug, body: { advanced: { setup_workflows } } }, ada.token)
    const settled = (branch: string) =>
      service.until(async () => {
        const [newest] = await pipelines(service, ada.token)
        return newest?.vcs?.branch === branch && !/pending/.test(newest.state) ? newest : undefined
      })
    await change(false)
    await service.push('acme/web', { '.service/config.yml': setup }, ['off'], ada.token, 'Off')
    const refused = await settled('off')
    assert.equal(refused.state, 'errored')
    assert.match(refused.errors[0]?.message ?? '', /setup/)
    await change(true)
    await service.push('acme/web', { '.service/config.yml': setup }, ['on'], ada.token, 'On')
    assert.equal((await settled('on')).state, 'setup')
  })

  test('build_prs_only builds tags and the branches that are named, and nothing else', async () => {
    await using service = await openService()
    const { ada } = await openFarm(service)
    const advanced = { build_prs_only: true, pr_only_branch_overrides: ['main', 'release'] }
    await service.call(updateProjectSettings, { params: slug, body: { advanced } }, ada.token)
    const refs = ['heads/topic', 'heads/release', 'tags/v1']
    await service.push('acme/web', { '.service/config.yml': config }, refs, ada.token, 'Next')
    const built = (await pipelines(service, ada.token)).map(({ vcs }) => vcs?.branch ?? vcs?.tag)
    assert.deepEqual(built.toSorted(), ['main', 'release', 'v1'])
  })
})
