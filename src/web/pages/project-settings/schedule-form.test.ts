import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDraft, numbersIn, parametersIn, readDraft, type ScheduleDraft, timetableText } from './schedule-form.ts'

test('reads numbers and ranges, each once, and refuses whatever is out of bounds', () => {
  assert.deepEqual(numbersIn('9-11, 2 9', 0, 23), [2, 9, 10, 11])
  for (const text of ['', '24', '5-3', 'noon', '1,,x', '-1']) assert.equal(numbersIn(text, 0, 23), undefined, text)
})

test('reads parameters as texts, numbers and booleans', () => {
  assert.deepEqual(parametersIn('deep=true\ntimes = 3\n\nnote=a=b'), { deep: true, times: 3, note: 'a=b' })
  assert.equal(parametersIn('deep'), undefined)
  assert.equal(parametersIn('=x'), undefined)
})

test('makes a schedule of a draft by days of the week or of the month, never both', () => {
  const week = readDraft({ ...newDraft, name: 'nightly', parameters: 'deep=true' })
  assert.deepEqual(week, {
    name: 'nightly',
    description: null,
    timetable: { 'per-hour': 1, 'hours-of-day': [2], 'days-of-week': ['MON', 'TUE', 'WED', 'THU', 'FRI'] },
    parameters: { branch: 'main', deep: true },
    'attribution-actor': 'current',
  })
  const month = readDraft({ ...newDraft, kind: 'month', daysOfMonth: '1, 15', target: 'tag', ref: 'v1' })
  assert.ok(typeof month === 'object')
  assert.deepEqual(month.timetable, { 'per-hour': 1, 'hours-of-day': [2], 'days-of-month': [1, 15] })
  assert.deepEqual(month.parameters, { tag: 'v1' })
})

const problemOf = (draft: ScheduleDraft): string => {
  const read = readDraft(draft)
  return typeof read === 'string' ? read : ''
}

test('says what is wrong with a draft', () => {
  assert.match(problemOf({ ...newDraft, hours: 'x' }), /hours/)
  assert.match(problemOf({ ...newDraft, daysOfWeek: [] }), /day of the week/)
  assert.match(problemOf({ ...newDraft, parameters: 'x' }), /name=value/)
})

test('says a timetable as a sentence', () => {
  const timetable = { 'per-hour': 2, 'hours-of-day': [2, 14], 'days-of-month': [1], months: ['MAR' as const] }
  assert.equal(timetableText(timetable), '2 times at 2, 14 h (UTC) on day 1 of the month in MAR')
})
