import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSchedule, deleteSchedule, getSchedule, listSchedules, updateSchedule } from '#contract/v2/schedule.ts'
import { messageOf } from './ask.ts'
import { type Farm, openFarm, slug } from './farm.ts'
import { openService, type Service } from './service.ts'

describe('schedules', () => {
  let service: Service
  let farm: Farm
  before(async () => {
    service = await openService()
    farm = await openFarm(service)
    await service.rest()
  })
  after(() => service[Symbol.asyncDispose]())

  const form = (more: object = {}) => ({
    name: 'nightly',
    timetable: { 'per-hour': 1, 'hours-of-day': [2], 'days-of-week': ['MON' as const] },
    'attribution-actor': 'system' as const,
    parameters: { branch: 'main', deep: true },
    ...more,
  })
  const make = (more: object = {}) => service.call(createSchedule, { params: slug, body: form(more) }, farm.ada.token)
  const refused = async (method: string, path: string, body: object) => {
    const answer = await service.ask({
      method,
      path,
      token: farm.ada.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 400, answer.text)
    return messageOf(answer)
  }
  const create = (more: object) =>
    refused('POST', `/api/v2/project/${slug.provider}/${slug.org}/${slug.repo}/schedule`, form(more))

  test('are made, read, changed in part and deleted, with hyphens throughout', async () => {
    const made = await make({ description: 'every monday' })
    assert.deepEqual(made, {
      id: made.id,
      name: 'nightly',
      description: 'every monday',
      timetable: { 'per-hour': 1, 'hours-of-day': [2], 'days-of-week': ['MON'] },
      parameters: { branch: 'main', deep: true },
      actor: { id: 'd9b3fcaa-6032-405a-8c75-40079ce33c3e', login: 'system-actor', name: 'Scheduled' },
      'project-slug': `${slug.provider}/${slug.org}/${slug.repo}`,
      'created-at': made['created-at'],
      'updated-at': made['created-at'],
    })
    const params = { schedule_id: made.id }
    assert.deepEqual(await service.call(getSchedule, { params }, farm.ada.token), made)
    const changed = await service.call(
      updateSchedule,
      { params, body: { timetable: { 'days-of-month': [1, 15], months: ['MAR'] }, 'attribution-actor': 'current' } },
      farm.ada.token,
    )
    assert.deepEqual(changed.timetable, {
      'per-hour': 1,
      'hours-of-day': [2],
      'days-of-month': [1, 15],
      months: ['MAR'],
    })
    // Some clients write every member of a timetable: null and empty lists say nothing, and all months where it is about months.
    const whole = { 'per-hour': 2, 'hours-of-day': [3], 'days-of-week': [], 'days-of-month': [7], months: null }
    const sent = await service.call(updateSchedule, { params, body: { timetable: whole } }, farm.ada.token)
    const kept = { 'per-hour': 2, 'hours-of-day': [3], 'days-of-month': [7] }
    assert.deepEqual(sent.timetable, kept)
    const other = { name: 'whole', 'attribution-actor': 'system' as const, parameters: { branch: 'main' } }
    const fresh = { params: slug, body: { ...other, timetable: whole } }
    const another = await service.call(createSchedule, fresh, farm.ada.token)
    assert.deepEqual(another.timetable, kept)
    const tagged = { params: { schedule_id: another.id }, body: { parameters: { tag: 'v1.0' } } }
    assert.deepEqual((await service.call(updateSchedule, tagged, farm.ada.token)).parameters, { tag: 'v1.0' })
    await service.call(deleteSchedule, { params: tagged.params }, farm.ada.token)
    assert.equal(changed.actor.id, farm.ada.id)
    assert.equal(changed.name, 'nightly')
    const cleared = await service.call(updateSchedule, { params, body: { description: null } }, farm.ada.token)
    assert.equal(cleared.description, null)
    const gone = await service.call(deleteSchedule, { params }, farm.ada.token)
    assert.equal(typeof gone.message, 'string')
    const answer = await service.ask({ method: 'GET', path: `/api/v2/schedule/${made.id}`, token: farm.ada.token })
    assert.deepEqual([answer.status, messageOf(answer)], [404, 'Schedule not found.'])
  })

  test('are listed in pages of twenty', async () => {
    for (let i = 0; i < 21; i++) await make({ name: `schedule ${i}` })
    const first = await service.call(listSchedules, { params: slug, query: {} }, farm.ada.token)
    assert.equal(first.items.length, 20)
    const second = await service.call(
      listSchedules,
      { params: slug, query: { 'page-token': first.next_page_token ?? '' } },
      farm.ada.token,
    )
    assert.deepEqual([second.items.map(({ name }) => name), second.next_page_token], [['schedule 20'], null])
  })

  test('are refused when they could never be kept, and nothing is changed', async () => {
    const week = { 'per-hour': 1, 'hours-of-day': [2], 'days-of-week': ['MON'] }
    const bad: readonly object[] = [
      { parameters: {} },
      { parameters: { branch: 'main', tag: 'v1' } },
      { parameters: { branch: 7 } },
      { parameters: { branch: '..' } },
      { parameters: { branch: 'main', list: [1] } },
      { 'attribution-actor': 'somebody' },
      { name: '' },
      { timetable: { ...week, 'per-hour': 0 } },
      { timetable: { ...week, 'per-hour': 61 } },
      { timetable: { ...week, 'hours-of-day': [24] } },
      { timetable: { ...week, 'hours-of-day': [] } },
      { timetable: { ...week, 'hours-of-day': [1, 1] } },
      { timetable: { ...week, 'days-of-week': ['monday'] } },
      { timetable: { ...week, months: ['13'] } },
      { timetable: { ...week, 'days-of-month': [1] } },
      { timetable: { ...week, 'days-of-week': [], 'days-of-month': null } },
      { timetable: { 'per-hour': 1, 'hours-of-day': [2] } },
      { timetable: { 'per-hour': 1, 'hours-of-day': [2], 'days-of-month': [32] } },
    ]
    for (const more of bad) assert.notEqual(await create(more), '', JSON.stringify(more))
    const made = await make()
    const path = `/api/v2/schedule/${made.id}`
    const both = { timetable: { 'days-of-week': ['MON'], 'days-of-month': [1] } }
    assert.match(await refused('PATCH', path, both), /exclude each other/)
    await refused('PATCH', path, { parameters: { deep: false } })
    assert.deepEqual(await service.call(getSchedule, { params: { schedule_id: made.id } }, farm.ada.token), made)
  })
})
