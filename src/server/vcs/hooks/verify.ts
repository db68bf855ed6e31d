import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Provider } from '#core/names.ts'
import { isFresh, signMessage } from './signed-message.ts'

/** Headers of a hook, names in lower case. */
export type HookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

const headerOf = (headers: HookHeaders, ...names: readonly string[]): string | undefined =>
  names.map((name) => headers[name]).find((value): value is string => typeof value === 'string' && value !== '')

/** What a hook proves: that whoever sent it knows the secret (`stale`: and did so long ago, so it may be somebody who listened), or nothing. */
export type Proof = 'proven' | 'stale' | 'wrong'

/** What a hook proves. Takes as long whatever is wrong with it. */
export function proofOf(
  provider: Provider,
  headers: HookHeaders,
  body: Uint8Array,
  secret: string,
  nowMs: number,
): Proof {
  if (provider === 'provider-c') return proofOfGitlab(headers, body, secret, nowMs)
  // The header of Bitbucket is the one in which GitHub sends the weaker SHA-1: its value must name SHA-256.
  const names = provider === 'provider-a' ? signatures : ['x-hub-signature', 'x-hub-signature-256']
  const given = headerOf(headers, ...names) ?? ''
  const expected = createHmac('sha256', secret).update(body).digest('hex')
  const isBare = provider === 'provider-a' && !given.includes('=')
  return isSame(given.toLowerCase(), isBare ? expected : `sha256=${expected}`) ? 'proven' : 'wrong'
}

/** GitLab names and dates every hook, signs it where it was given a signing token, and sends the secret itself where that is a plain one. */
function proofOfGitlab(headers: HookHeaders, body: Uint8Array, secret: string, nowMs: number): Proof {
  const signature = headerOf(headers, 'webhook-signature')
  if (signature === undefined) return isSame(headerOf(headers, 'x-gitlab-token') ?? '', secret) ? 'proven' : 'wrong'
  const [id, timestamp] = [headerOf(headers, 'webhook-id') ?? '', headerOf(headers, 'webhook-timestamp') ?? '']
  const expected = signMessage(secret, { id, timestamp }, body)
  // Every one is looked at: which of them is right does not show.
  const right = signature
    .split(' ')
    .slice(0, mostSignatures)
    .map((one) => isSame(one, expected ?? ''))
  if (expected === undefined || id === '' || !right.includes(true)) return 'wrong'
  return isFresh({ timestamp }, nowMs) ? 'proven' : 'stale'
}

const mostSignatures = 10

/** Gitea, Forgejo and Gogs send the bare digest under names of their own. */
const signatures = ['x-hub-signature-256', 'x-forgejo-signature', 'x-gitea-signature', 'x-gogs-signature']

/** Compares digests, so that neither length nor content shows in the time it takes. */
const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))

const eventHeaders: Readonly<Record<Provider, readonly string[]>> = {
  // Their own first: Gitea and Forgejo send the name of GitHub's event too, in which some of theirs are missing.
  'provider-a': ['x-forgejo-event', 'x-gitea-event', 'x-gogs-event', 'x-github-event'],
  'provider-b': ['x-event-key'],
  'provider-c': ['x-gitlab-event'],
}

const deliveryHeaders: Readonly<Record<Provider, readonly string[]>> = {
  'provider-a': ['x-forgejo-delivery', 'x-gitea-delivery', 'x-gogs-delivery', 'x-github-delivery'],
  'provider-b': ['x-request-uuid'],
  // The first is what a signature is about.
  'provider-c': ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'],
}

/** What a hook calls the event it tells of, and itself. One that has no name of its own is known by what it says. */
export function namesOf(provider: Provider, headers: HookHeaders, body: Uint8Array) {
  const event = headerOf(headers, ...eventHeaders[provider]) ?? ''
  const delivery = headerOf(headers, ...deliveryHeaders[provider]) ?? `sha256:${hash('sha256', body)}`
  return { event: event.slice(0, 200), delivery: delivery.slice(0, 200) }
}
