import assert from 'node:assert/strict'
import { test } from 'node:test'
import { milliseconds } from './duration.ts'

test('durations are read in every form people write them', () => {
  const found = ['10m', '1.5h', '1h30m', '90s', '600', '250ms', '0s', '', 'soon', '10 m', '-5s', '5d'].map(milliseconds)
  assert.deepEqual(found, [
    600_000,
    5_400_000,
    5_400_000,
    90_000,
    600_000,
    250,
    0,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
