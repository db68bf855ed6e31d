import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Provider } from '#core/names.ts'
import { signMessage } from '#server/vcs/hooks/signed-message.ts'
import { send } from '#test/api/ask.ts'
import type { Service } from '#test/api/service.ts'

/** A payload as providers document it, with other values in some places. */
export function payload(name: string, change: (text: string) => string = (text) => text): string {
  const path = join(import.meta.dirname, '../../src/server/vcs/hooks/fixtures', `${name}.json`)
  return JSON.stringify(JSON.parse(change(readFileSync(path, 'utf8'))))
}

/** Where a hook goes, and what it is signed with. */
export interface Target {
  readonly url: string
  readonly secret: string
}

/** The headers of a hook, as each provider sends them. */
export function headersOf(provider: Provider, event: string, delivery: string, secret: string, body: string) {
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  const same = { 'content-type': 'application/json' }
  if (provider === 'provider-a')
    return {
      ...same,
      'x-github-event': event,
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${digest}`,
    }
  if (provider === 'provider-b')
    return { ...same, 'x-event-key': event, 'x-request-uuid': delivery, 'x-hub-signature': `sha256=${digest}` }
  return { ...same, 'x-gitlab-event': event, 'idempotency-key': delivery, 'x-gitlab-token': secret }
}

/** The headers of a hook that GitLab signs, instead of sending the secret. */
export function signedHeaders(id: string, secret: string, body: string, atMs: number) {
  const timestamp = String(Math.floor(atMs / 1000))
  const signature = signMessage(secret, { id, timestamp }, Buffer.from(body)) ?? ''
  const own = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  return { ...own, 'idempotency-key': id, 'x-gitlab-token': '' }
}

let deliveries = 0

/** Sends a hook as a provider does; says the status of the answer. */
export async function sendHook(
  service: Service,
  { url, secret }: Target,
  provider: Provider,
  event: string,
  body: string,
  { delivery = `delivery-${++deliveries}`, headers = {} as Record<string, string> } = {},
): Promise<number> {
  const question = {
    method: 'POST',
    path: new URL(url).pathname,
    headers: { ...headersOf(provider, event, delivery, secret, body), ...headers },
    body,
  }
  return (await send(service.connections, service.base, question)).status
}
