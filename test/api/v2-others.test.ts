import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalog } from '#contract/catalog.ts'
import { getDescription } from '#contract/v2/description.ts'
import { getPipeline } from '#contract/v2/pipeline.ts'
import { getProject } from '#contract/v2/project.ts'
import { getMe, getUser, listCollaborations } from '#contract/v2/user.ts'
import { createVariable, deleteVariable, getVariable, listVariables } from '#contract/v2/variable.ts'
import { getBuild } from '#contract/v1/builds.ts'
import { valueOf } from './ask.ts'
import { named, openFarm, slug } from './farm.ts'
import { openService } from './service.ts'

describe('generation 2', () => {
  test('describes every operation of the service, and itself without a token', async () => {
    await using service = await openService()
    const answer = await service.ask({ method: 'GET', path: '/api/v2/openapi.json' })
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
    const document = valueOf(answer) as {
      openapi: string
      servers: { url: string }[]
      paths: Record<string, Record<string, { operationId: string; parameters: { in: string; name: string }[] }>>
    }
    assert.deepEqual([document.openapi, document.servers], ['3.1.0', [{ url: `${service.base}/api/v2` }]])
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ path, method, ...operation })),
    )
    assert.equal(described.length, catalog.length)
    assert.equal(new Set(described.map(({ operationId }) => operationId)).size, described.length)
    for (const { path, parameters } of described) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      assert.deepEqual(
        inPath.toSorted(),
        [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').toSorted(),
        path,
      )
    }
    for (const [reference] of JSON.stringify(document).matchAll(/"#\/components\/[^"]+"/g)) {
      const found = reference
        .slice(3, -1)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
      assert.ok(found, reference)
    }
    assert.deepEqual(await service.call(getDescription, {}), document)
  })

  test('tells who the caller is, and who others are', async () => {
    await using service = await openService()
    const { ada, member } = await openFarm(service)
    assert.deepEqual(await service.call(getMe, {}, ada.token), { id: ada.id, login: 'ada', name: 'ada' })
    assert.deepEqual(await service.call(getUser, { params: { id: member.id } }, ada.token), {
      id: member.id,
      login: 'max',
      name: 'max',
    })
    assert.equal(
      (await service.ask({ method: 'GET', path: `/api/v2/user/${service.world.newId()}`, token: ada.token })).text,
      '{"message":"User not found."}',
    )
  })

  test('keeps variables, shows them masked, and replaces one of the same name', async () => {
    await using service = await openService()
    const { ada } = await openFarm(service)
    const set = (name: string, value: string) =>
      service.call(createVariable, { params: slug, body: { name, value } }, ada.token)
    const first = await set('TOKEN', 'first-secret')
    const times = { 'created-at': first.created_at, created_at: first.created_at }
    assert.deepEqual(first, { name: 'TOKEN', value: 'xxxxcret', ...times })
    const second = await set('TOKEN', 'second-value')
    assert.equal(second.value, 'xxxxalue')
    assert.deepEqual(await service.call(getVariable, { params: { ...slug, name: 'TOKEN' } }, ada.token), second)
    const { items } = await service.call(listVariables, { params: slug, query: {} }, ada.token)
    assert.deepEqual(
      items.map(({ name }) => name),
      ['KEY', 'TOKEN'],
    )
    assert.deepEqual(await service.call(deleteVariable, { params: { ...slug, name: 'TOKEN' } }, ada.token), {
      message: 'ok',
    })
    const gone = await service.ask({
      method: 'DELETE',
      path: '/api/v2/project/gh/acme/web/envvar/TOKEN',
      token: ada.token,
    })
    assert.equal(gone.status, 404)
    const stored = await service.world.db.selectFrom('variables').select('value').execute()
    assert.doesNotMatch(JSON.stringify(stored), /secret/)
  })

  test('speaks with the names of the dialect circle where the operator wants that', async () => {
    await using service = await openService({ terms: { dialect: 'circle' } })
    const { ada, workflow, job } = await openFarm(service)
    const { slug: text, organization_slug, vcs_info } = await service.call(getProject, { params: slug }, ada.token)
    assert.deepEqual([text, organization_slug, vcs_info.provider], ['gh/acme/web', 'gh/acme', 'GitHub'])
    const pipeline = await service.call(getPipeline, { params: { pipeline_id: workflow.pipeline_id } }, ada.token)
    assert.deepEqual([pipeline.project_slug, pipeline.vcs?.provider_name], ['gh/acme/web', 'GitHub'])
    const [organization] = await service.call(listCollaborations, {}, ada.token)
    assert.deepEqual([organization?.slug, organization?.vcs_type], ['gh/acme', 'github'])
    const build = await service.call(getBuild, { params: { ...named, build_num: job.number } }, ada.token)
    assert.deepEqual(
      [build.vcs_type, build.build_url, build.why],
      ['github', `${service.base}/gh/acme/web/${job.number}`, 'github'],
    )
  })
})
