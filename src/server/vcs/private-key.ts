import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto'
import { field } from './keys.ts'

/**
 * The public key (`ssh-rsa AAAA...`) of a private one, in the format of OpenSSH or in PEM.
 * Nothing where it is no private key, or one that only a passphrase would open: no agent could use it.
 */
export function publicKeyOf(privateKey: string): string | undefined {
  const text = privateKey.trim().replaceAll('\r\n', '\n')
  try {
    const blob = text.startsWith('-----BEGIN OPENSSH PRIVATE KEY-----') ? openSshBlob(text) : pemBlob(text)
    return blob && `${fieldsOf(blob)[0]?.toString()} ${blob.toString('base64')}`
  } catch {
    // Whatever it was, it was not a key.
    return undefined
  }
}

const magic = Buffer.from('openssh-key-v1\0')

/** The public half stands in the clear before the private one. */
function openSshBlob(text: string): Buffer | undefined {
  const file = Buffer.from(text.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
  if (!file.subarray(0, magic.length).equals(magic)) return undefined
  const head = file.subarray(magic.length)
  const [cipher, kdf, options] = fieldsOf(head, 3)
  if (!cipher || !kdf || !options || cipher.toString() !== 'none') return undefined
  // Behind these three stands the number of keys, always one.
  const keys = head.subarray(3 * 4 + cipher.length + kdf.length + options.length + 4)
  const [blob, secret] = fieldsOf(keys, 2)
  const whole = blob && secret && secret.length > 8 && secret.readUInt32BE(0) === secret.readUInt32BE(4)
  return whole ? blob : undefined
}

function pemBlob(text: string): Buffer | undefined {
  return jwkBlob(createPublicKey(createPrivateKey(text)).export({ format: 'jwk' }))
}

const curves: Readonly<Record<string, string>> = { 'P-256': 'nistp256', 'P-384': 'nistp384', 'P-521': 'nistp521' }

function jwkBlob({ kty, crv = '', n = '', e = '', x = '', y = '' }: JsonWebKey): Buffer | undefined {
  if (kty === 'RSA') return Buffer.concat([field('ssh-rsa'), field(positive(e)), field(positive(n))])
  if (kty === 'OKP' && crv === 'Ed25519')
    return Buffer.concat([field('ssh-ed25519'), field(Buffer.from(x, 'base64url'))])
  const curve = curves[crv]
  if (kty !== 'EC' || curve === undefined) return undefined
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return Buffer.concat([field(`ecdsa-sha2-${curve}`), field(curve), field(point)])
}

/** A number whose first bit is not taken for a sign. */
function positive(value: string): Buffer {
  const bytes = Buffer.from(value, 'base64url')
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
}

/** The first so many fields: bytes with their length before them. Throws where they are not there. */
function fieldsOf(bytes: Buffer, count = 1): readonly Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; found.length < count;) {
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new RangeError('Cannot read a field: it is cut off')
    found.push(bytes.subarray(at + 4, end))
    at = end
  }
  return found
}
