import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Provider } from '#core/names.ts'
import { signingSecret, signMessage } from './signed-message.ts'
import { type HookHeaders, namesOf, proofOf } from './verify.ts'

const body = Buffer.from('{"ref":"refs/heads/main"}')
const secret = 'rhw_secret'
const nowMs = Date.UTC(2026, 6, 1)
const isProven = (provider: Provider, headers: HookHeaders, of: Uint8Array, by: string) =>
  proofOf(provider, headers, of, by, nowMs) === 'proven'
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

const signing = signingSecret(Buffer.alloc(32, 7))
const seconds = nowMs / 1000

/** The headers of a hook that GitLab signed. */
function signed({ id = 'm1', at = seconds, by = signing, of = body }) {
  const timestamp = String(at)
  const signature = signMessage(by, { id, timestamp }, of) ?? 'v1,'
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

test('a signature over name, time and body is proof, beside other signatures too, and is computed as its inventors publish it', () => {
  // The example of the specification of Standard Webhooks.
  const published = signMessage(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330' },
    Buffer.from('{"test": 2432232314}'),
  )
  assert.equal(published, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  const good = signed({})
  const both = { ...good, 'webhook-signature': `v1,AAAA v1a,BBBB ${good['webhook-signature']}` }
  for (const headers of [good, both, { ...good, 'x-gitlab-token': signing }])
    assert.equal(proofOf('provider-c', headers, body, signing, nowMs), 'proven')
  // A secret of that form may be sent as it is, too.
  const plain = { 'webhook-id': 'm1', 'webhook-timestamp': '1', 'x-gitlab-token': signing }
  assert.equal(proofOf('provider-c', plain, body, signing, nowMs), 'proven')
  assert.equal(namesOf('provider-c', { ...good, 'idempotency-key': 'other' }, body).delivery, 'm1')
})

test('a signature proves nothing of another name, time, body or secret, nor of a secret that cannot sign, whatever stands beside it', () => {
  const good = signed({})
  const wrong: readonly HookHeaders[] = [
    { ...good, 'webhook-id': 'm2' },
    { ...good, 'webhook-id': undefined },
    { ...good, 'webhook-timestamp': String(seconds + 1) },
    { ...good, 'webhook-timestamp': undefined },
    { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') },
    { ...good, 'webhook-signature': good['webhook-signature'].slice(3) },
    { ...good, 'webhook-signature': 'v1,' },
    { ...good, 'webhook-signature': 'v1,', 'x-gitlab-token': signing },
    signed({ of: Buffer.from('{}') }),
    signed({ by: signingSecret(Buffer.alloc(32, 8)) }),
    signed({ id: '' }),
  ]
  for (const headers of wrong)
    assert.equal(proofOf('provider-c', headers, body, signing, nowMs), 'wrong', JSON.stringify(headers))
  for (const unfit of ['', 'whsec_', 'whsec_AAAA', 'rhw_secret'])
    assert.equal(proofOf('provider-c', signed({ by: unfit }), body, unfit, nowMs), 'wrong')
  assert.equal(proofOf('provider-a', good, body, signing, nowMs), 'wrong')
})

test('a message that was signed more than five minutes ago, or ahead, is known as such', () => {
  const proofs = [-301, -300, 0, 300, 301].map((by) =>
    proofOf('provider-c', signed({ at: seconds + by }), body, signing, nowMs),
  )
  assert.deepEqual(proofs, ['stale', 'proven', 'proven', 'proven', 'stale'])
})
