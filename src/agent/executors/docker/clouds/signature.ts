import { createHash, createHmac } from 'node:crypto'

/** By which somebody is known to Amazon; a session token makes them those of a role. */
export interface AmazonKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** A request of which all is known but who sends it. */
export interface Unsigned {
  readonly method: string
  /** Without a query. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const algorithm = 'AWS4-HMAC-SHA256'
const sum = (text: string) => createHash('sha256').update(text).digest('hex')
const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The headers of a request that Amazon takes for one of these keys (Signature Version 4); all of them are signed. */
export function signedHeaders(
  { method, url, headers, body }: Unsigned,
  { region, service }: { readonly region: string; readonly service: string },
  { accessKeyId, secretAccessKey, sessionToken }: AmazonKeys,
  at: Date,
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const sent: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(sent).toSorted()
  const request = [
    method,
    // What is in an address has been encoded once by now, and is wanted encoded twice.
    url.pathname.split('/').map(encodeURIComponent).join('/'),
    '',
    ...names.map((name) => `${name}:${(sent[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    sum(body),
  ].join('\n')
  const scope = [day, region, service, 'aws4_request']
  const key = scope.reduce<string | Buffer>((before, word) => mac(before, word), `AWS4${secretAccessKey}`)
  const signature = mac(key, [algorithm, time, scope.join('/'), sum(request)].join('\n')).toString('hex')
  const credential = [accessKeyId, ...scope].join('/')
  return {
    ...sent,
    authorization: `${algorithm} Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}
