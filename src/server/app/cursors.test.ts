import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursors } from './cursors.ts'

const ours = cursors(new Uint8Array(32).fill(1))
const refused = { name: 'Refusal', code: 'not-found', message: 'Not Found' }

test('a page token leads back to where the page ended', () => {
  for (const after of ['20', '', 'ä/"\n']) assert.equal(ours.read('list', ours.write('list', after)), after)
})

test('no token, or an empty one, is the first page', () => {
  assert.deepEqual([ours.read('list', undefined), ours.read('list', '')], [undefined, undefined])
})

test('a token of another list, or of another installation, finds nothing', () => {
  const token = ours.write('pipelines:web:main', '20')
  assert.throws(() => ours.read('pipelines:web:dev', token), refused)
  assert.throws(() => cursors(new Uint8Array(32).fill(2)).read('pipelines:web:main', token), refused)
})

test('a token that was changed anywhere finds nothing', () => {
  const token = ours.write('list', '20')
  const bytes = Buffer.from(token, 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] ?? 0) ^ 1
    assert.throws(() => ours.read('list', changed.toString('base64url')), refused)
  }
  for (let length = 1; length < token.length; length++)
    assert.throws(() => ours.read('list', token.slice(0, length)), refused)
  assert.throws(() => ours.read('list', `${token}AAAA`), refused)
})

for (const token of ['x', 'null', '20', '!!!!', 'a'.repeat(16), 'a'.repeat(10_000), '\0', 'ä']) {
  test(`a token that nobody gave, like ${JSON.stringify(token.slice(0, 20))}, finds nothing`, () => {
    assert.throws(() => ours.read('list', token), refused)
  })
}
