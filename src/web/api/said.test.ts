import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Answered } from '#contract/client.ts'
import { isSignedOut, mayPass, said } from './said.ts'

const answered = (status: number, body: unknown) => new Answered('Cannot GET /x', status, body)

test('the words of the service are passed on, and a number where it has none', () => {
  assert.equal(said(answered(404, { message: 'Job not found.' })), 'Job not found.')
  assert.deepEqual(
    [undefined, {}, { message: '' }, 'text'].map((body) => said(answered(500, body))),
    Array(4).fill('The server answered 500'),
  )
})

test('what did not come from the service is said in words of our own', () => {
  assert.equal(said(new TypeError('Failed to fetch')), 'Cannot reach the server')
  assert.equal(said(new SyntaxError('Unexpected token <')), 'Something other than the server answered')
})

test('asking again is for trouble that may pass, and not for refusals', () => {
  const errors = [new TypeError('x'), answered(503, {}), answered(429, {}), answered(404, {}), answered(401, {})]
  assert.deepEqual(errors.map(mayPass), [true, true, true, false, false])
  assert.deepEqual(errors.map(isSignedOut), [false, false, false, false, true])
})
