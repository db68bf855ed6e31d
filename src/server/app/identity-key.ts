import { createECDH, createPrivateKey, hash, hkdfSync, sign } from 'node:crypto'

/** The public half of a key, as a JSON Web Key. */
export interface PublishedKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly kid: string
  readonly alg: 'ES256'
  readonly use: 'sig'
}

/** The key by which the jobs of this installation prove to others who they are. */
export interface IdentityKey {
  readonly published: PublishedKey
  /** Makes a JSON Web Token of claims. */
  sign(claims: Readonly<Record<string, unknown>>): string
}

/** The key that follows from the installation's own: the same on every server, after every restart, and kept nowhere. */
export function identityKey(secret: Uint8Array): IdentityKey {
  const curve = createECDH('prime256v1')
  const d = scalarFor(secret, curve)
  const point = curve.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url')) as [
    string,
    string,
  ]
  const shape = { crv: 'P-256', kty: 'EC', x, y } as const
  // Its thumbprint, as RFC 7638 has it: the members in this order.
  const kid = hash('sha256', JSON.stringify(shape), 'base64url')
  const key = createPrivateKey({ format: 'jwk', key: { ...shape, d } })
  const header = encoded({ alg: 'ES256', kid, typ: 'JWT' })
  return {
    published: { ...shape, kid, alg: 'ES256', use: 'sig' },
    sign(claims) {
      const text = `${header}.${encoded(claims)}`
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
      return `${text}.${signature.toString('base64url')}`
    },
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** One in four thousand million numbers of 32 bytes is none of the curve: then the next one is. */
function scalarFor(secret: Uint8Array, curve: ReturnType<typeof createECDH>): string {
  for (let round = 0; round < 10; round++) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `roundhouse identity of jobs ${round}`, 32))
    try {
      curve.setPrivateKey(bytes)
      return bytes.toString('base64url')
    } catch {
      // The next one.
    }
  }
  throw new Error('Cannot make a key for the identity of jobs')
}
