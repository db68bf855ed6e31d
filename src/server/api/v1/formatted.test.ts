import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { formatted } from './formatted.ts'

test('a member a line, a space on both sides of the colon, lists in a line', () => {
  const value = { a: 1, b: [], c: {}, d: ['x', null], e: [{ f: true, g: { h: 'i\n' } }, { j: [] }], k: undefined }
  assert.equal(
    formatted(value),
    `{
  "a" : 1,
  "b" : [ ],
  "c" : { },
  "d" : [ "x", null ],
  "e" : [ {
    "f" : true,
    "g" : {
      "h" : "i\\n"
    }
  }, {
    "j" : [ ]
  } ]
}`,
  )
})

test('whoever reads it reads the same as in compact form', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(formatted(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
})
