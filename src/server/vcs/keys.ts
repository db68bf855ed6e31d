import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'

/** A key pair as ssh reads it. */
export interface KeyPair {
  /** `ssh-ed25519 AAAA... comment`: one line, as it is given to a provider. */
  readonly publicKey: string
  /** In the format of OpenSSH, which all its clients read; not all of them read PKCS #8. */
  readonly privateKey: string
}

/** Makes a new ed25519 key pair. */
export function newKeyPair(comment = ''): KeyPair {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const blob = Buffer.concat([field('ssh-ed25519'), field(point)])
  const check = randomBytes(4)
  const secret = [check, check, blob, field(Buffer.concat([seed, point])), field(comment)]
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(field),
    number(1),
    field(blob),
    field(padded(Buffer.concat(secret))),
  ])
  const lines = file.toString('base64').match(/.{1,70}/g) ?? []
  return {
    publicKey: `ssh-ed25519 ${blob.toString('base64')}${comment && ` ${comment}`}`,
    privateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`,
  }
}

/** The two fingerprints of a public key: `md5` as sixteen pairs with colons, `sha256` as `SHA256:` and base64. */
export function fingerprintsOf(publicKey: string): { readonly md5: string; readonly sha256: string } {
  const blob = Buffer.from(publicKey.trim().split(/\s+/)[1] ?? '', 'base64')
  const md5 = createHash('md5').update(blob).digest('hex')
  return {
    md5: md5.match(/../g)?.join(':') ?? '',
    sha256: `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`,
  }
}

/** Bytes with their length before them, as ssh writes everything. */
export function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([number(bytes.length), bytes])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Filled up to whole blocks of eight with 1, 2, 3, ...: so the format wants it, even where nothing is encrypted. */
const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.from(Array.from({ length: (8 - (bytes.length % 8)) % 8 }, (_, index) => index + 1))])
