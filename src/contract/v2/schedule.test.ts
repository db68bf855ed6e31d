import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Check } from 'typebox/value'
import { createSchedule, updateSchedule } from './schedule.ts'

const weekly = { 'per-hour': 1, 'hours-of-day': [0, 23], 'days-of-week': ['MON', 'SUN'] }
const nightly = {
  name: 'nightly',
  timetable: weekly,
  'attribution-actor': 'system',
  parameters: { branch: 'main', deep: true, depth: 3 },
}
const accepts = (change: object) => Check(createSchedule.schema.body, { ...nightly, ...change })
const fires = (timetable: object) => accepts({ timetable: { ...weekly, ...timetable } })

describe('a new schedule', () => {
  test('fires by days of the week or by days of the month, not by both and not by neither', () => {
    assert.ok(accepts({}))
    assert.ok(
      accepts({ timetable: { 'per-hour': 60, 'hours-of-day': [4], 'days-of-month': [1, 31], months: ['MAR'] } }),
    )
    assert.equal(fires({ 'days-of-month': [1] }), false)
    assert.equal(accepts({ timetable: { 'per-hour': 1, 'hours-of-day': [0] } }), false)
  })

  test('fires at hours, days and months that there are, each named once', () => {
    assert.equal(fires({ 'per-hour': 0 }), false)
    assert.equal(fires({ 'per-hour': 61 }), false)
    assert.equal(fires({ 'hours-of-day': [24] }), false)
    assert.equal(fires({ 'hours-of-day': [4, 4] }), false)
    assert.equal(fires({ 'hours-of-day': [] }), false)
    assert.equal(fires({ 'days-of-week': ['monday'] }), false)
    assert.equal(fires({ months: ['MARCH'] }), false)
  })

  test('runs on one branch or one tag', () => {
    assert.ok(accepts({ parameters: { tag: 'v1' } }))
    assert.equal(accepts({ parameters: { deep: true } }), false)
    assert.equal(accepts({ parameters: { branch: 'main', tag: 'v1' } }), false)
  })

  test('is attributed to the caller or to the system', () => {
    assert.ok(accepts({ 'attribution-actor': 'current' }))
    assert.equal(accepts({ 'attribution-actor': 'ada' }), false)
  })
})

test('a changed schedule may change any part of its timetable', () => {
  assert.ok(Check(updateSchedule.schema.body, {}))
  assert.ok(Check(updateSchedule.schema.body, { timetable: { 'per-hour': 2 } }))
  assert.equal(Check(updateSchedule.schema.body, { timetable: { 'per-hour': 90 } }), false)
})
