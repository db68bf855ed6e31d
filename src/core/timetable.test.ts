import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { between, type Instant } from '#kit/brand.ts'
import { delayOf, nextTime, type Timetable } from './timetable.ts'

const id = '018f0000-0000-7000-8000-00000000000a'
/** A Friday. */
const noon = '2026-01-02T12:00:00.000Z' as Instant
const weekly: Timetable = { perHour: 1, hoursOfDay: [2, 14], daysOfWeek: ['FRI', 'MON'] }

function times(timetable: Timetable, count: number): readonly (string | undefined)[] {
  const found: (string | undefined)[] = []
  let at: Instant | undefined = noon
  for (let i = 0; i < count && at !== undefined; i++) {
    at = nextTime(timetable, id, at)
    found.push(at?.slice(0, 13))
  }
  return found
}

describe('a schedule', () => {
  test('fires on its days and in its hours', () => {
    assert.deepEqual(times(weekly, 4), ['2026-01-02T14', '2026-01-05T02', '2026-01-05T14', '2026-01-09T02'])
  })

  test('fires on days of the month, in some months only', () => {
    const monthly: Timetable = { perHour: 1, hoursOfDay: [0], daysOfMonth: [31], months: ['FEB', 'MAR'] }
    assert.deepEqual(times(monthly, 2), ['2026-03-31T00', '2027-03-31T00'])
    assert.deepEqual(times({ ...monthly, months: ['FEB'] }, 1), [undefined])
  })

  test('fires as often in an hour as it says, evenly, at a delay of its own', () => {
    const often: Timetable = { perHour: 12, hoursOfDay: [13], daysOfWeek: ['FRI'] }
    const found: Instant[] = []
    for (let at = nextTime(often, id, noon); at !== undefined && found.length < 12; at = nextTime(often, id, at)) {
      found.push(at)
    }
    assert.ok(found.every((at) => at.startsWith('2026-01-02T13')))
    assert.deepEqual(
      found.slice(1).map((at, i) => between(found[i] as Instant, at)),
      Array.from({ length: 11 }, () => 300_000),
    )
    assert.equal(between('2026-01-02T13:00:00.000Z' as Instant, found[0] as Instant), delayOf(id, 12))
  })

  test('has a delay that depends on its id, and never reaches its next time', () => {
    const ids = Array.from({ length: 50 }, (_, i) => `018f0000-0000-7000-8000-${String(i).padStart(12, '0')}`)
    assert.ok(new Set(ids.map((one) => delayOf(one, 1))).size > 30)
    for (const perHour of [1, 2, 7, 12, 60]) {
      for (const one of ids) assert.ok(delayOf(one, perHour) < Math.min(600_000, 3_600_000 / perHour))
    }
  })
})
