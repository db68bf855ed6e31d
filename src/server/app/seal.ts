import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/** Keeps values so that the database alone tells nothing: the key lies outside it. */
export interface Seal {
  close(value: string): string
  open(sealed: string): string
}

/** AES-256-GCM; the first byte names the form, so that another can come beside it. */
export function sealWith(key: Uint8Array): Seal {
  if (key.length !== 32) throw new Error(`Cannot seal with a key of ${key.length} bytes: 32 are needed`)
  return {
    close(value) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const closed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), closed]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes[0] !== 1 || bytes.length < 29) throw new Error('Cannot open a sealed value: it has another form')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 13))
      decipher.setAuthTag(bytes.subarray(13, 29))
      return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]).toString('utf8')
    },
  }
}

/** What each kind of token begins with, so that people and scanners know it when they see one. */
export const tokenPrefix = {
  user: 'rhu_',
  project: 'rhp_',
  agent: 'rha_',
  job: 'rhj_',
  checkout: 'rhg_',
  session: 'rhs_',
  'sign-in': 'rhl_',
  continuation: 'rhc_',
} as const

export type TokenKind = keyof typeof tokenPrefix

/** A new token: 256 random bits, shown once. */
export const newToken = (kind: TokenKind): string => tokenPrefix[kind] + randomBytes(32).toString('base64url')

/** What is stored of a token. It is random and long, so a plain hash gives nothing away. */
export const hashToken = (token: string): string => hash('sha256', token)
