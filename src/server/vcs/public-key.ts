/** A public key as OpenSSH writes it, without its comment. */
export interface PublicKey {
  readonly publicKey: string
  readonly comment: string
}

const types = ['ssh-ed25519', 'ssh-rsa', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521']
const fewestRsaBytes = 256

/** Reads one line of a `.pub` file; nothing where it is not a whole key of a kind that is safe and that we can check. */
export function readPublicKey(text: string): PublicKey | undefined {
  if (text.length > 10_000) return undefined
  const [, type = '', encoded = '', comment = ''] =
    /^([a-z0-9-]+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+([^\r\n]*))?$/.exec(text.trim()) ?? []
  if (!types.includes(type)) return undefined
  const fields = fieldsOf(Buffer.from(encoded, 'base64'))
  if (fields?.[0]?.toString('latin1') !== type || !isWhole(type, fields)) return undefined
  return { publicKey: `${type} ${Buffer.from(encoded, 'base64').toString('base64')}`, comment: comment.slice(0, 200) }
}

function isWhole(type: string, fields: readonly Buffer[]): boolean {
  if (type === 'ssh-ed25519') return fields.length === 2 && fields[1]?.length === 32
  if (type === 'ssh-rsa') return fields.length === 3 && (fields[2]?.length ?? 0) >= fewestRsaBytes
  return fields.length === 3 && fields[1]?.toString('latin1') === type.slice('ecdsa-sha2-'.length)
}

function fieldsOf(bytes: Buffer): readonly Buffer[] | undefined {
  const found: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    if (at + 4 > bytes.length) return undefined
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    found.push(bytes.subarray(at + 4, end))
    at = end
  }
  return found
}
