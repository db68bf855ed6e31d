import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, ahead, lengthOf } from './times.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test('times are told in the unit in which one would tell them', () => {
  const told = [0, 9, 10, 59, 60, 3599, 3600, 86_399, 86_400, 172_800].map((seconds) => ago(0, seconds * second))
  assert.deepEqual(told, [
    'just now',
    'just now',
    '10 s ago',
    '59 s ago',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '23 h ago',
    '1 day ago',
    '2 days ago',
  ])
  assert.deepEqual([ago(0, 90 * day), ago(0, 800 * day)], ['3 months ago', '2 years ago'])
})

test('what will happen is told by how long that takes', () => {
  assert.deepEqual(
    [-5, 0, 0.9, 1, 30, 120, 7_200].map((seconds) => ahead(seconds * second, 0)),
    ['at any moment', 'at any moment', 'at any moment', 'in 1 s', 'in 30 s', 'in 2 min', 'in 2 h'],
  )
})

test('a server whose clock is a little ahead does not write from the future', () => {
  assert.equal(ago(30 * second, 0), 'just now')
  assert.equal(ago(2 * hour, 0), 'in 2 h')
})

test('lengths have at most two units', () => {
  const told = [-5, 0, 85, 450, 999, 1000, 59_999, minute, 65 * second, hour, 2 * hour + 9 * minute].map(lengthOf)
  assert.deepEqual(told, [
    '0 s',
    '0 s',
    '85 ms',
    '0.4 s',
    '0.9 s',
    '1 s',
    '59 s',
    '1 min 00 s',
    '1 min 05 s',
    '1 h 00 min',
    '2 h 09 min',
  ])
})
