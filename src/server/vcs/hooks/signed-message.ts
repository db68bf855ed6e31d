import { createHmac } from 'node:crypto'

/** What the three headers of a signed message say. */
export interface SignedMessage {
  readonly id: string
  /** Seconds since 1970, in digits. */
  readonly timestamp: string
  /** `v1,<base64>`; several behind one another while a secret is being changed. */
  readonly signature: string
}

const prefix = 'whsec_'

/** A secret in the form in which those who sign messages in the manner of Standard Webhooks want it. */
export const signingSecret = (key: Buffer): string => prefix + key.toString('base64')

/** The key in such a secret; nothing where it has another form. */
function keyOf(secret: string): Buffer | undefined {
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : undefined
  return key && key.length >= 24 ? key : undefined
}

/** What the signature of a message must be; nothing where the secret cannot sign one. */
export function signMessage(
  secret: string,
  { id, timestamp }: Omit<SignedMessage, 'signature'>,
  body: Uint8Array,
): string | undefined {
  const key = keyOf(secret)
  return key && `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** So far the clock of whoever sent a message may be from ours, and so long somebody who listened could send it again. */
const toleranceMs = 5 * 60_000

/** Whether a message was sent just now. */
export const isFresh = ({ timestamp }: Pick<SignedMessage, 'timestamp'>, nowMs: number): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs - Number(timestamp) * 1000) <= toleranceMs
