import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import * as prefixes from '#contract/v2/orb-prefix.ts'
import { listPipelineWorkflows, listProjectPipelines } from '#contract/v2/pipeline.ts'
import { getProject } from '#contract/v2/project.ts'
import * as usage from '#contract/v2/usage.ts'
import { addressOf } from './ask.ts'
import { newPerson } from './people.ts'
import { openService } from './service.ts'

const config = `version: 2.1
jobs:
  build:
    machine: true
    parallelism: 2
    steps: [{run: {name: say, command: 'echo out; echo err >&2'}}]
workflows: {main: {jobs: [build]}}
`
const slug = { provider: 'gh', org: 'acme', repo: 'web' }
const hour = 60 * 60 * 1000

test('what ran is accounted for, what steps printed is text, and who follows sees what: as clients of the hosted service ask', async () => {
  await using service = await openService({ agentSlots: 2 })
  const ada = await newPerson(service.world, 'ada')
  await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  const project = await service.call(getProject, { params: slug }, ada.token)
  await service.until(async () => {
    const [pipeline] = (await service.call(listProjectPipelines, { params: slug, query: {} }, ada.token)).items
    if (!pipeline) return undefined
    const params = { pipeline_id: pipeline.id }
    const [workflow] = (await service.call(listPipelineWorkflows, { params, query: {} }, ada.token)).items
    return workflow?.status === 'success' ? true : undefined
  })

  // Pages of the hosted service ask under a prefix of their own, and so do its tools.
  const read = (path: string, token: string | undefined = ada.token) =>
    service.ask({ method: 'GET', path, ...(token !== undefined && { token }) })
  const followed = JSON.parse((await read('/api/private/me/followed-projects')).text)
  const told = { id: project.id, name: 'web', slug: 'provider-a/acme/web', vcs_type: 'provider-a' }
  assert.deepEqual(followed, { items: [told], next_page_token: null })
  const step = (stream: string, node: number) => read(`/api/private/output/raw/gh/acme/web/1/${stream}/${node}/0`)
  const printed = await step('output', 1)
  assert.equal(printed.text.replaceAll('\r', ''), 'out\nerr\n')
  assert.match(String(printed.headers['content-type']), /^text\/plain/)
  assert.equal((await step('error', 0)).text, '')
  assert.equal((await step('neither', 0)).status, 400)
  assert.equal((await step('output', 7)).status, 404)

  const params = { org_id: project.organization_id }
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const ask = (body: unknown) =>
    service.ask({
      method: 'POST',
      path: addressOf(usage.createUsageExport, params),
      token: ada.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  service.clock.aheadMs = hour
  const made = await service.call(
    usage.createUsageExport,
    { params, body: { start: at(-hour), end: at(hour / 2) } },
    ada.token,
  )
  assert.deepEqual([made.state, made.download_urls], ['created', null])
  const find = { ...params, usage_export_job_id: made.usage_export_job_id }
  const ready = await service.call(usage.getUsageExport, { params: find }, ada.token)
  assert.equal(ready.state, 'completed')
  const [url = ''] = ready.download_urls ?? []
  const fetched = await fetch(url)
  assert.equal(fetched.headers.get('content-type'), 'application/gzip')
  const [head = '', line = '', ...more] = gunzipSync(Buffer.from(await fetched.arrayBuffer()))
    .toString()
    .split('\n')
  assert.deepEqual(more, [''])
  const row = Object.fromEntries(head.split(',').map((name, index) => [name, line.split(',')[index]]))
  assert.deepEqual(
    [row['PROJECT_NAME'], row['JOB_NAME'], row['JOB_RUN_NUMBER'], row['JOB_BUILD_STATUS'], row['PARALLELISM']],
    ['web', 'build', '1', 'success', '2'],
  )
  assert.ok(Number(row['TOTAL_CREDITS']) > 0)
  for (const wrong of [url.replace('signature=', 'signature=x'), url.replace(/until=\d+/, 'until=9999')])
    assert.equal((await fetch(wrong)).status, 404)
  const empty = await service.call(
    usage.createUsageExport,
    { params, body: { start: at(-5 * hour), end: at(-4 * hour) } },
    ada.token,
  )
  const nothing = { ...params, usage_export_job_id: empty.usage_export_job_id }
  assert.equal((await service.call(usage.getUsageExport, { params: nothing }, ada.token)).download_urls, null)
  for (const body of [
    { start: at(0), end: at(-hour) },
    { start: at(-400 * 24 * hour), end: at(-399 * 24 * hour) },
    { start: at(0), end: at(2 * hour) },
    { start: at(-32 * 24 * hour), end: at(0) },
    { start: 'yesterday', end: at(0) },
    { start: '2016-12-31T23:59:60Z', end: at(0) },
    { start: at(-hour) },
  ])
    assert.equal((await ask(body)).status, 400, JSON.stringify(body))
  const none = { start: at(-hour), end: at(0), shared_org_ids: [service.world.newId()] }
  assert.equal((await ask(none)).status, 404)

  const organization = { organization: project.organization_id }
  const entry = { name: 'ours', prefix: 'https://orbs.example.com/', auth: 'none' as const }
  const { id } = await service.call(prefixes.createOrbPrefix, { params: organization, body: entry }, ada.token)
  const listed = await service.call(prefixes.listOrbPrefixes, { params: organization, query: {} }, ada.token)
  assert.deepEqual(listed.items, [{ id, ...entry }])
  const gone = { ...organization, allow_list_entry_id: id }
  await service.call(prefixes.deleteOrbPrefix, { params: gone }, ada.token)
  assert.equal(
    (await service.ask({ method: 'DELETE', path: addressOf(prefixes.deleteOrbPrefix, gone), token: ada.token })).status,
    404,
  )
})
