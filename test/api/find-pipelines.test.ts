import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findPipelines } from '#contract/rh/pipelines.ts'
import { listProjects } from '#contract/rh/projects.ts'
import { triggerPipeline } from '#contract/v2/pipeline.ts'
import { cancelWorkflow } from '#contract/v2/workflow.ts'
import { type Farm, openFarm, slug } from './farm.ts'
import { openService, type Service } from './service.ts'

describe('pipelines that somebody looks for', () => {
  let service: Service
  let farm: Farm
  before(async () => {
    service = await openService()
    farm = await openFarm(service)
    for (let i = 0; i < 27; i++) await service.call(triggerPipeline, { params: slug, body: {} }, farm.member.token)
    await service.rest()
    await service.call(cancelWorkflow, { params: { id: farm.workflow.id } }, farm.ada.token)
  })
  after(() => service[Symbol.asyncDispose]())

  type Query = Parameters<typeof find>[0]
  const find = (
    query: {
      readonly project?: string
      readonly branch?: string
      readonly look?: 'active' | 'canceled' | 'passed'
      readonly mine?: boolean
      readonly 'page-token'?: string
    },
    token = farm.ada.token,
  ) => service.call(findPipelines, { query }, token)
  const numbers = async (query: Query, token?: string) => (await find(query, token)).items.map(({ number }) => number)

  test('come newest first, page after page, each once', async () => {
    const first = await find({ project: 'provider-a/acme/web' })
    assert.equal(first.items.length, 25)
    const second = await find({ project: 'provider-a/acme/web', 'page-token': first.next_page_token! })
    assert.equal(second.next_page_token, null)
    assert.deepEqual(
      [...first.items, ...second.items].map(({ number }) => number),
      Array.from({ length: 28 }, (_, at) => 28 - at),
    )
  })

  test('are told apart by how they stand, by branch and by who made them', async () => {
    assert.deepEqual(await numbers({ look: 'canceled' }), [1])
    assert.deepEqual(await numbers({ look: 'passed' }), [])
    assert.deepEqual(await numbers({ branch: 'none' }), [])
    assert.deepEqual(await numbers({ mine: true }), [1])
    assert.equal((await numbers({ mine: true, look: 'active' }, farm.member.token)).length, 25)
  })

  test('are those that the caller may see', async () => {
    assert.deepEqual(
      new Set((await find({}, farm.stranger.token)).items.map((one) => one.project_slug)),
      new Set(['provider-a/other/thing']),
    )
    const answer = await service.ask({
      method: 'GET',
      path: '/api/rh/v1/pipelines?project=provider-a/acme/web',
      token: farm.stranger.token,
    })
    assert.equal(answer.status, 404)
  })

  test('give a project the state of its branches', async () => {
    const { items } = await service.call(listProjects, { query: {} }, farm.ada.token)
    const branches = items.find(({ name }) => name === 'web')?.branches ?? []
    assert.deepEqual(
      branches.map(({ branch, number }) => [branch, number]),
      [['main', 28]],
    )
  })
})
