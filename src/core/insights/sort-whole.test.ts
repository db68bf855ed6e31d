import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { sortInPlace } from './sort-whole.ts'

const many = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: 990, maxLength: 1_100, size: 'max' })

test('values are sorted, be they whole, large, negative, in parts or no numbers', () => {
  const whole = many(fc.nat(0xffff_ffff))
  const small = many(fc.nat(3_000))
  const any = many(fc.oneof(fc.nat(), fc.double(), fc.constant(-0), fc.constant(2 ** 32)))
  fc.assert(
    fc.property(fc.oneof(whole, small, any), (values) => {
      assert.deepEqual(sortInPlace(Float64Array.from(values)), Float64Array.from(values).sort())
    }),
    { numRuns: 40 },
  )
})
