import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { bytesOf, nameIn, textOf } from './file-name.ts'

test('every name can be given back, and different names are different texts', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
      const [a, b] = [Buffer.from(one), Buffer.from(other)]
      assert.deepEqual(bytesOf(nameIn(a)), a)
      assert.equal(nameIn(a) === nameIn(b), a.equals(b))
    }),
  )
})

test('a name that is UTF-8 is the text that it says, and what is none is shown by its bytes', () => {
  assert.equal(nameIn(Buffer.from('é\ufffd\u{1f480}')), 'é\ufffd\u{1f480}')
  assert.equal(textOf(nameIn(Buffer.from('a\xffb\xc3', 'latin1'))), 'a%FFb%C3')
  assert.equal(textOf('é\u{1f480}'), 'é\u{1f480}')
})
