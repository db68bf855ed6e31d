import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from './config-place.ts'

test('a place is found in the ways in which errors tell it', () => {
  assert.deepEqual(placeOf('Unknown key at line 3, column 5'), { line: 3, column: 5 })
  assert.deepEqual(placeOf('Unknown key (line 12)'), { line: 12 })
  assert.deepEqual(placeOf('3:5: unknown key'), { line: 3, column: 5 })
  assert.deepEqual(placeOf('.service/config.yml:7:1 unknown key'), { line: 7, column: 1 })
})

test('an error without a place has none', () => {
  assert.deepEqual([placeOf('No configuration file'), placeOf('Timed out after 10:30 minutes')], [undefined, undefined])
})
