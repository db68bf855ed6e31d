import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursors } from './cursors.ts'

const ours = cursors(new Uint8Array(32).fill(1))
const page = { after: '21', filter: { branch: 'main' } }
const refused = { code: 'not-found', message: 'Not Found' }

test('a page token leads to where its page ended, and brings along what was asked for', () => {
  const token = ours.write('pipelines:web', page)
  assert.deepEqual(ours.read('pipelines:web', token, {}), page)
  assert.deepEqual(ours.read('pipelines:web', token, { branch: 'main' }), page)
})

test('the first page needs no token, and an empty one is none', () => {
  assert.deepEqual(
    [ours.read('pipelines:web', undefined, {}), ours.read('pipelines:web', '', {})],
    [undefined, undefined],
  )
})

test('a token of another list, of another filter or of another installation finds nothing', () => {
  const token = ours.write('pipelines:web', page)
  assert.throws(() => ours.read('pipelines:api', token, {}), refused)
  assert.throws(() => ours.read('pipelines:web', token, { branch: 'other' }), refused)
  assert.throws(() => cursors(new Uint8Array(32).fill(2)).read('pipelines:web', token, {}), refused)
})

test('a token that was tampered with finds nothing, whichever of its bytes', () => {
  const token = Buffer.from(ours.write('pipelines:web', page), 'base64url')
  for (let i = 0; i < token.length; i++) {
    const other = Buffer.from(token)
    other[i] = other[i]! ^ 1
    assert.throws(() => ours.read('pipelines:web', other.toString('base64url'), {}), refused)
  }
  for (const text of ['x', 'AAAA', '{}', '-'.repeat(1000)])
    assert.throws(() => ours.read('pipelines:web', text, {}), refused)
})
