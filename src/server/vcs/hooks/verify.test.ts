import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { isProven, namesOf } from './verify.ts'

const body = Buffer.from('{"ref":"refs/heads/main"}')
const secret = 'rhw_secret'
const digest = (algorithm = 'sha256', key = secret) => createHmac(algorithm, key).update(body).digest('hex')

test('a signature or token of the secret is proof, in the headers of each provider', () => {
  assert.ok(isProven('provider-a', { 'x-hub-signature-256': `sha256=${digest()}` }, body, secret))
  assert.ok(isProven('provider-a', { 'x-gitea-signature': digest() }, body, secret))
  assert.ok(isProven('provider-a', { 'x-forgejo-signature': digest() }, body, secret))
  assert.ok(isProven('provider-a', { 'x-gogs-signature': digest().toUpperCase() }, body, secret))
  // As Gitea and Forgejo send them: all at once, the weak one too.
  const all = {
    'x-hub-signature': `sha1=${digest('sha1')}`,
    'x-hub-signature-256': `sha256=${digest()}`,
    'x-gitea-signature': digest(),
    'x-forgejo-signature': digest(),
  }
  assert.ok(isProven('provider-a', all, body, secret))
  assert.ok(isProven('provider-b', { 'x-hub-signature': `sha256=${digest()}` }, body, secret))
  assert.ok(isProven('provider-c', { 'x-gitlab-token': secret }, body, secret))
})

test('nothing else is: no header, another secret, another body, a weaker digest, the header of another provider', () => {
  const wrong = [
    ['provider-a', {}],
    ['provider-a', { 'x-hub-signature-256': '' }],
    ['provider-a', { 'x-hub-signature-256': 'sha256=' }],
    ['provider-a', { 'x-hub-signature-256': `sha256=${digest('sha256', 'other')}` }],
    ['provider-a', { 'x-hub-signature': `sha1=${digest('sha1')}` }],
    ['provider-a', { 'x-hub-signature': `sha256=${digest()}` }],
    ['provider-a', { 'x-gitea-signature': digest('sha1') }],
    ['provider-a', { 'x-forgejo-signature': `sha1=${digest()}` }],
    // What comes first decides: a good one behind a bad one proves nothing.
    ['provider-a', { 'x-hub-signature-256': `sha256=${digest('sha256', 'other')}`, 'x-gitea-signature': digest() }],
    ['provider-a', { 'x-gitlab-token': secret }],
    ['provider-b', { 'x-hub-signature': `sha1=${digest('sha1')}` }],
    ['provider-b', { 'x-hub-signature': digest() }],
    ['provider-b', { 'x-gitlab-token': secret }],
    ['provider-c', {}],
    ['provider-c', { 'x-gitlab-token': '' }],
    ['provider-c', { 'x-gitlab-token': `${secret}x` }],
    ['provider-c', { 'x-hub-signature-256': `sha256=${digest()}` }],
  ] as const
  for (const [provider, headers] of wrong)
    assert.equal(isProven(provider, headers, body, secret), false, `${provider} ${JSON.stringify(headers)}`)
  const signed = { 'x-hub-signature-256': `sha256=${digest()}` }
  assert.equal(isProven('provider-a', signed, Buffer.from('{"ref":"refs/heads/evil"}'), secret), false)
})

test('a hook is known by the name its provider gives it, and without one by what it says', () => {
  const gitea = { 'x-github-event': 'pull_request', 'x-gitea-event': 'pull_request_sync', 'x-gitea-delivery': 'd1' }
  assert.deepEqual(namesOf('provider-a', gitea, body), { event: 'pull_request_sync', delivery: 'd1' })
  const { event, delivery } = namesOf('provider-c', {}, body)
  assert.equal(event, '')
  assert.match(delivery, /^sha256:[0-9a-f]{64}$/)
  assert.notEqual(delivery, namesOf('provider-c', {}, Buffer.from('other')).delivery)
})
