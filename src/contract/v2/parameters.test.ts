import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { Parameters } from './parameters.ts'

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]))

test('parameters are texts, integers and booleans', () => {
  assert.ok(Check(Parameters, { image: 'node', shards: 4, deploy: false }))
  assert.equal(Check(Parameters, { ratio: 0.5 }), false)
  assert.equal(Check(Parameters, { nothing: null }), false)
  assert.equal(Check(Parameters, { list: [1] }), false)
})

test('parameters are at most 100, with names to 128 and texts to 512 characters', () => {
  assert.ok(Check(Parameters, many(100)))
  assert.equal(Check(Parameters, many(101)), false)
  assert.ok(Check(Parameters, { ['n'.repeat(128)]: 'v'.repeat(512) }))
  assert.equal(Check(Parameters, { ['n'.repeat(129)]: 1 }), false)
  assert.equal(Check(Parameters, { n: 'v'.repeat(513) }), false)
})
