import { createHash, createHmac } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Who is known to the clouds, and by what. */
export interface Known {
  /** Secret keys of Amazon by their ids. */
  readonly keys?: Readonly<Record<string, string>>
  /** Which identity token opens a role of Amazon. */
  readonly roles?: Readonly<Record<string, string>>
  /** Which provider and identity token open a service account of Google. */
  readonly accounts?: Readonly<Record<string, { readonly provider: string; readonly token: string }>>
}

interface Answer {
  readonly status: number
  readonly body: string
}

type Place = 'ecr' | 'ecr-public' | 'sts' | 'google-sts' | 'google-iamcredentials'

const day = 24 * 3_600_000

/**
 * Amazon and Google on loopback, as far as they give credentials for their registries. They look at requests as the real ones do:
 * at the signature of what arrived, at each field of a form, at whose token it is.
 */
export async function fakeClouds({ keys = {}, roles = {}, accounts = {} }: Known) {
  const asked: string[] = []
  const sessions = new Map<string, { readonly secret: string; readonly token: string }>()
  const federated = new Map<string, { readonly provider: string; readonly token: string }>()
  const given = new Set<string>()
  const said = new Map<Place, Answer>()
  let count = 0
  let lastsMs = day / 2

  function newPassword(cloud: string): string {
    const password = `${cloud}-password-${++count}`
    given.add(password)
    return password
  }

  function ecr(place: 'ecr' | 'ecr-public', request: IncomingMessage, body: string): Answer {
    const problem = signatureProblem(request, body, place, keys, sessions)
    if (problem !== undefined) return amazonSays(400, problem)
    const target = `${place === 'ecr' ? 'AmazonEC2ContainerRegistry_V20150921' : 'SpencerFrontendService'}.GetAuthorizationToken`
    if (request.headers['x-amz-target'] !== target || request.headers['content-type'] !== 'application/x-amz-json-1.1')
      return amazonSays(404, 'UnknownOperationException')
    JSON.parse(body)
    const authorizationToken = Buffer.from(`AWS:${newPassword('amazon')}`).toString('base64')
    const data = { authorizationToken, expiresAt: (Date.now() + lastsMs) / 1000 }
    return { status: 200, body: JSON.stringify({ authorizationData: place === 'ecr' ? [data] : data }) }
  }

  function sts(request: IncomingMessage, body: string): Answer {
    const form = formOf(request, body)
    const { Action, Version, RoleArn = '', RoleSessionName = '', WebIdentityToken } = form
    if (
      Action !== 'AssumeRoleWithWebIdentity' ||
      Version !== '2011-06-15' ||
      !/^[\w+=,.@-]{2,64}$/.test(RoleSessionName)
    )
      return { status: 400, body: xml('Error', { Code: 'ValidationError', Message: 'a field is wrong' }) }
    if (roles[RoleArn] === undefined || roles[RoleArn] !== WebIdentityToken) {
      const Message = `Not authorized to perform &quot;sts:AssumeRoleWithWebIdentity&quot; with ${WebIdentityToken}`
      return { status: 403, body: xml('Error', { Code: 'AccessDenied', Message }) }
    }
    const id = `ASIA${++count}`
    const session = { secret: `secret-of-session-${count}/+x`, token: `session-token-${count}+/=` }
    sessions.set(id, session)
    const fields = { AccessKeyId: id, SecretAccessKey: session.secret, SessionToken: session.token }
    return {
      status: 200,
      body: xml('Credentials', { ...fields, Expiration: new Date(Date.now() + day).toISOString() }),
    }
  }

  function exchange(request: IncomingMessage, body: string): Answer {
    const { subject_token: token = '', audience = '', ...rest } = formOf(request, body)
    const type = 'urn:ietf:params:oauth:token-type'
    const wanted = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      requested_token_type: `${type}:access_token`,
      subject_token_type: `${type}:jwt`,
    }
    const isRight =
      JSON.stringify(Object.entries(rest).toSorted()) === JSON.stringify(Object.entries(wanted).toSorted())
    const provider = audience.replace('//iam.googleapis.com/', '')
    const isKnown = Object.values(accounts).some((one) => one.provider === provider && one.token === token)
    if (!isRight || !isKnown) {
      const error = isRight ? 'invalid_grant' : 'invalid_request'
      return { status: 400, body: JSON.stringify({ error, error_description: `The token ${token} is not known` }) }
    }
    const access_token = `federated-${++count}`
    federated.set(access_token, { provider, token })
    return { status: 200, body: JSON.stringify({ access_token, token_type: 'Bearer', expires_in: 3600 }) }
  }

  function impersonate(request: IncomingMessage, path: string, body: string): Answer {
    const [, name = ''] = /^\/v1\/projects\/-\/serviceAccounts\/([^/]+):generateAccessToken$/.exec(path) ?? []
    const who = federated.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    const account = accounts[decodeURIComponent(name)]
    const { scope, lifetime } = JSON.parse(body) as { scope: string[]; lifetime: string }
    if (!who || account?.token !== who.token || account.provider !== who.provider) {
      const error = {
        code: 403,
        message: `Permission denied on ${decodeURIComponent(name)}`,
        status: 'PERMISSION_DENIED',
      }
      return { status: 403, body: JSON.stringify({ error }) }
    }
    if (scope[0] !== 'https://www.googleapis.com/auth/cloud-platform' || lifetime !== '3600s')
      return { status: 400, body: JSON.stringify({ error: { status: 'INVALID_ARGUMENT', message: 'no scope' } }) }
    const expireTime = new Date(Date.now() + Math.min(lastsMs, 3_600_000)).toISOString()
    return { status: 200, body: JSON.stringify({ accessToken: newPassword('google'), expireTime }) }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, place = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? []
    const body = await text(request)
    asked.push(place)
    const answer = said.get(place as Place) ?? answerOf(place, path)
    response.writeHead(answer.status).end(answer.body)

    function answerOf(at: string, rest: string): Answer {
      if (request.method !== 'POST') return { status: 405, body: '' }
      if (at === 'google-iamcredentials') return impersonate(request, rest, body)
      if (at === 'google-sts' && rest === '/v1/token') return exchange(request, body)
      if (at === 'sts' && rest === '/') return sts(request, body)
      if ((at === 'ecr' || at === 'ecr-public') && rest === '/') return ecr(at, request, body)
      return { status: 404, body: '' }
    }
  }

  const server = http.createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const places = ['ecr', 'ecr-public', 'sts', 'google-sts', 'google-iamcredentials'] as const
  return {
    endpoints: Object.fromEntries(places.map((place) => [place, `${address}/${place}`])),
    /** Which interface was asked, each time. */
    asked,
    /** The passwords that open registries. */
    given,
    /** How long what is given lasts. */
    lasting: (ms: number) => void (lastsMs = ms),
    /** Makes an interface answer so from now on, or as usual again. */
    say: (place: Place, answer?: Answer) => void (answer ? said.set(place, answer) : said.delete(place)),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const amazonSays = (status: number, type: string, message = `${type} it is`): Answer => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.ecr#${type}`, message }),
})

const xml = (name: string, fields: Readonly<Record<string, string>>) =>
  `<?xml version="1.0"?><Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${name}>\n${Object.entries(fields)
    .map(([key, value]) => `  <${key}>${value}</${key}>\n`)
    .join('')}</${name}></Response>`

function formOf(request: IncomingMessage, body: string): Readonly<Record<string, string>> {
  if (request.headers['content-type'] !== 'application/x-www-form-urlencoded') return {}
  return Object.fromEntries(new URLSearchParams(body))
}

/** Looks at a signature from the side of who receives it: nothing counts but what arrived. */
function signatureProblem(
  request: IncomingMessage,
  body: string,
  service: string,
  keys: Readonly<Record<string, string>>,
  sessions: ReadonlyMap<string, { readonly secret: string; readonly token: string }>,
): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/
  const [, id = '', date, region, named, headers = '', signature] = form.exec(request.headers.authorization ?? '') ?? []
  const session = sessions.get(id)
  const secret = session?.secret ?? keys[id]
  const time = String(request.headers['x-amz-date'])
  if (secret === undefined) return 'UnrecognizedClientException'
  if (session?.token !== request.headers['x-amz-security-token']) return 'ExpiredTokenException'
  const names = headers.split(';')
  const must = Object.keys(request.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (named !== service || !time.startsWith(`${date}T`) || !must.every((name) => names.includes(name)))
    return 'IncompleteSignature'
  const instant = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(instant - Date.now()) < 15 * 60_000)) return 'RequestExpired'
  const hash = (words: string) => createHash('sha256').update(words, 'utf8').digest('hex')
  const lines = names.map((name) => `${name}:${String(request.headers[name])}\n`).join('')
  const canonical = `POST\n${request.url}\n\n${lines}\n${headers}\n${hash(body)}`
  let key = Buffer.from(`AWS4${secret}`)
  for (const word of [String(date), String(region), service, 'aws4_request'])
    key = createHmac('sha256', key).update(word).digest()
  const string = `AWS4-HMAC-SHA256\n${time}\n${date}/${region}/${service}/aws4_request\n${hash(canonical)}`
  const right = createHmac('sha256', key).update(string).digest('hex')
  return right === signature ? undefined : 'InvalidSignatureException'
}
