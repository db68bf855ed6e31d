import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { getOrganization } from '#contract/rh/organizations.ts'
import {
  getProjectAccess,
  listDeclaredParameters,
  listNextRuns,
  listProjectSshKeys,
} from '#contract/rh/project-page.ts'
import { createSchedule } from '#contract/v2/schedule.ts'
import { messageOf } from './ask.ts'
import { type Farm, openFarm, slug } from './farm.ts'
import { openService, type Service } from './service.ts'

const parameterized = `version: 2.1
parameters:
  deep: { type: boolean, default: true, description: Long tests }
  where: { type: enum, default: staging, enum: [staging, live] }
jobs:
  build: { machine: true, steps: [{ run: echo built }] }
workflows: { main: { jobs: [build] } }
`

describe('what the pages of a project ask for', () => {
  let service: Service
  let farm: Farm
  before(async () => {
    service = await openService()
    farm = await openFarm(service)
    await service.push('acme/web', { '.service/config.yml': parameterized }, ['tuned', 'tags/v1'], farm.ada.token)
    await service.push('acme/web', { README: 'no configuration' }, ['bare'], farm.ada.token)
    await service.rest()
  })
  after(() => service[Symbol.asyncDispose]())

  test('tells everybody what they may do', async () => {
    const rightsOf = async (token: string) => {
      const { role, may_build, may_inspect, may_configure, may_own } = await service.call(
        getProjectAccess,
        { params: slug },
        token,
      )
      return [role, may_build, may_inspect, may_configure, may_own]
    }
    assert.deepEqual(await rightsOf(farm.ada.token), ['owner', true, true, true, true])
    assert.deepEqual(await rightsOf(farm.member.token), ['member', true, true, true, false])
    assert.deepEqual(await rightsOf(farm.viewer.token), ['viewer', false, false, false, false])
    assert.deepEqual(await rightsOf(service.admin.token), [null, true, true, true, true])
  })

  test('lists the parameters that a branch or a tag declares', async () => {
    const on = (query: object) => service.call(listDeclaredParameters, { params: slug, query }, farm.ada.token)
    const items = [
      { name: 'deep', type: 'boolean', default: true, description: 'Long tests', choices: [] },
      { name: 'where', type: 'enum', default: 'staging', description: null, choices: ['staging', 'live'] },
    ]
    const tuned = await on({ branch: 'tuned' })
    assert.deepEqual([tuned.branch, tuned.config_path, tuned.items], ['tuned', '.service/config.yml', items])
    assert.deepEqual((await on({ tag: 'v1' })).items, items)
    assert.deepEqual((await on({})).items, [])
    const bare = await on({ branch: 'bare' })
    assert.deepEqual([bare.config_path, bare.items], [null, []])
  })

  test('says so where there is no such branch', async () => {
    const path = `/api/rh/v1/project/${slug.provider}/${slug.org}/${slug.repo}/parameters?branch=none`
    const answer = await service.ask({ method: 'GET', path, token: farm.ada.token })
    assert.deepEqual([answer.status, messageOf(answer)], [400, 'Branch not found'])
  })

  test('lists the next times of a schedule, each after the one before', async () => {
    const { id } = await service.call(
      createSchedule,
      {
        params: slug,
        body: {
          name: 'nightly',
          timetable: { 'per-hour': 2, 'hours-of-day': [2], 'days-of-week': ['MON'] },
          'attribution-actor': 'system',
          parameters: { branch: 'main' },
        },
      },
      farm.ada.token,
    )
    const { items } = await service.call(listNextRuns, { params: { schedule_id: id }, query: { count: 3 } })
    assert.equal(items.length, 3)
    assert.deepEqual(items.toSorted(), items)
    assert.equal(new Set(items).size, 3)
    assert.ok(items.every((at) => new Date(at).getUTCDay() === 1 && new Date(at).getUTCHours() === 2))
  })

  test('lists keys without their private parts, and an organization with the role of whoever asks', async () => {
    assert.deepEqual((await service.call(listProjectSshKeys, { params: slug }, farm.ada.token)).items, [])
    const params = { organization_id: farm.project.organization_id }
    assert.equal((await service.call(getOrganization, { params }, farm.viewer.token)).role, 'viewer')
    assert.equal((await service.call(getOrganization, { params })).role, null)
  })
})
