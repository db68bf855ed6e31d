import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Answered } from '#contract/client.ts'
import { isSignedOut, mayPass, said } from './said.ts'

const answered = (status: number, body: unknown) => new Answered('Cannot GET /x', status, body)

test('the words of the service are passed on, and a number where it has none', () => {
  assert.equal(said(answered(404, { message: 'Job not found.' })), 'Job not found.')
  assert.deepEqual(
    [undefined, {}, { message: '' }, 'text'].map((body) => said(answered(409, body))),
    Array(4).fill('The server answered 409'),
  )
  assert.equal(
    said(answered(500, { message: 'Internal error.' })),
    'Internal error. Try again; if it stays so, tell whoever runs this server.',
  )
})

test('what did not come from the service is said in words of our own', () => {
  assert.equal(said(new TypeError('Failed to fetch')), 'Cannot reach the server. Check the connection and try again.')
  assert.equal(
    said(new SyntaxError('Unexpected token <')),
    'Something other than the server answered. Try again in a moment.',
  )
})

test('asking again is for trouble that may pass, and not for refusals', () => {
  const errors = [new TypeError('x'), answered(503, {}), answered(429, {}), answered(404, {}), answered(401, {})]
  assert.deepEqual(errors.map(mayPass), [true, true, true, false, false])
  assert.deepEqual(errors.map(isSignedOut), [false, false, false, false, true])
})
