import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Instant } from '#kit/brand.ts'
import { nextCron, readCron } from './cron.ts'

function next(text: string, after: string, times = 1): string | undefined {
  const cron = readCron(text)
  if (typeof cron === 'string') return cron
  let at: Instant | undefined = after as Instant
  for (let i = 0; i < times && at !== undefined; i++) at = nextCron(cron, at)
  return at
}

/** A Friday. */
const noon = '2026-01-02T12:00:00.000Z'

describe('the next time of a cron', () => {
  const cases: readonly (readonly [cron: string, expected: string | undefined])[] = [
    ['* * * * *', '2026-01-02T12:01:00.000Z'],
    ['0 0 * * *', '2026-01-03T00:00:00.000Z'],
    ['0 12 * * *', '2026-01-03T12:00:00.000Z'],
    ['*/15 * * * *', '2026-01-02T12:15:00.000Z'],
    ['5/20 * * * *', '2026-01-02T12:05:00.000Z'],
    ['30 9-17 * * 1-5', '2026-01-02T12:30:00.000Z'],
    ['0 1,13 * * *', '2026-01-02T13:00:00.000Z'],
    ['0 0 * * 0', '2026-01-04T00:00:00.000Z'],
    ['0 0 * * 7', '2026-01-04T00:00:00.000Z'],
    ['0 0 * * mon', '2026-01-05T00:00:00.000Z'],
    ['0 0 1 FEB *', '2026-02-01T00:00:00.000Z'],
    ['0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
    ['0 0 31 2 *', undefined],
  ]
  for (const [cron, expected] of cases) {
    test(`of ${cron}`, () => assert.equal(next(cron, noon), expected))
  }

  test('is on either day where both kinds of day are restricted', () => {
    assert.equal(next('0 0 13 * 5', noon), '2026-01-09T00:00:00.000Z')
    assert.equal(next('0 0 13 * 5', noon, 2), '2026-01-13T00:00:00.000Z')
  })
})

test('what is no cron is said to be none', () => {
  assert.equal(next('* * * *', noon), 'it must have five fields, found: * * * *')
  assert.equal(next('60 * * * *', noon), '"60" is no minute')
  assert.equal(next('0 24 * * *', noon), '"24" is no hour')
  assert.equal(next('0 0 0 * *', noon), '"0" is no day of the month')
  assert.equal(next('0 0 * 5-1 *', noon), '"5-1" is no month')
  assert.equal(next('0 0 * * FUNDAY', noon), '"FUNDAY" is no day of the week')
  assert.equal(next('*/0 * * * *', noon), '"*/0" is no minute')
})
