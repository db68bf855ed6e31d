import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCommit } from './commit.ts'

const commit = (author: string, message = 'x\n', more = '') =>
  Buffer.from(`tree ${'a'.repeat(40)}\nauthor ${author}\ncommitter C <c@d> 0 +0000\n${more}\n${message}`, 'latin1')

const authorOf = (line: string) => parseCommit('r', commit(line)).author

test('names are what stands before the address, and may be missing', () => {
  assert.deepEqual(authorOf('A B <a@b> 1577836800 +0000'), {
    name: 'A B',
    email: 'a@b',
    date: '2020-01-01T00:00:00+00:00',
  })
  assert.deepEqual(authorOf('<> 0 +0000'), { name: '', email: '', date: '1970-01-01T00:00:00+00:00' })
  assert.deepEqual(authorOf(''), { name: '', email: '', date: '1970-01-01T00:00:00+00:00' })
})

test('dates that nobody can have meant become the first of all', () => {
  const first = '1970-01-01T00:00:00+00:00'
  for (const date of ['99999999999999999999 +0000', '-5 +0000', '253402300800 +0000'])
    assert.equal(authorOf(`A <a> ${date}`).date, first)
  assert.equal(authorOf('A <a> 1577836800 +9999').date, '2020-01-01T00:00:00+00:00')
  assert.equal(authorOf('A <a> 1577836800 -0330').date, '2019-12-31T20:30:00-03:30')
})

test('the message is read in its own encoding, and as UTF-8 where that is unknown', () => {
  assert.equal(parseCommit('r', commit('A <a> 0 +0000', 'caf\xe9\n', 'encoding ISO-8859-1\n')).subject, 'café')
  const utf8 = Buffer.from('café').toString('latin1')
  assert.equal(parseCommit('r', commit('A <a> 0 +0000', utf8, 'encoding nonsense\n')).subject, 'café')
})

test('a signature in the headers is not taken for the message, nor its lines for headers', () => {
  const signed = commit(
    'A <a> 0 +0000',
    '\nsubject\n \n\nbody\n',
    'gpgsig -----BEGIN\n author Eve <e> 0 +0000\n -----END\n',
  )
  const { subject, body, author } = parseCommit('r', signed)
  assert.deepEqual([subject, body, author.name], ['subject', 'body', 'A'])
})

test('a message may be empty', () => {
  const { subject, body } = parseCommit('r', commit('A <a> 0 +0000', ''))
  assert.deepEqual([subject, body], ['', ''])
})
