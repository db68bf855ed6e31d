import type { AmazonRegistry } from '#kit/image-registry.ts'
import { ask, CloudAway, complaint, type Outward } from './ask.ts'
import { addressOf, type CloudEndpoints } from './endpoints.ts'
import type { Login } from './login.ts'
import { type AmazonKeys, signedHeaders } from './signature.ts'
import { xmlTexts } from './xml-texts.ts'

/** What Amazon calls the same question at its two kinds of registry. */
const targets = {
  ecr: 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken',
  'ecr-public': 'SpencerFrontendService.GetAuthorizationToken',
} as const

/** Gets what opens a registry to whoever has these keys. */
export async function loginByKeys(
  { service, region, ecr }: AmazonRegistry,
  keys: AmazonKeys,
  endpoints: CloudEndpoints,
  outward: Outward,
): Promise<Login> {
  const url = addressOf(endpoints[service], ecr, '/')
  const body = '{}'
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': targets[service] }
  const signed = signedHeaders({ method: 'POST', url, headers, body }, { region, service }, keys, new Date())
  const { status, text } = await ask({ url, headers: signed, body }, outward)
  const answer = parsed(text)
  if (status !== 200) {
    // `com.amazonaws.ecr#AccessDeniedException`
    const code = wordIn(answer, '__type')?.split('#').at(-1)
    const secrets = [keys.secretAccessKey, keys.sessionToken ?? '', signed['authorization'] ?? '']
    throw complaint(url.host, status, code, wordIn(answer, 'message') ?? wordIn(answer, 'Message'), secrets)
  }
  const data = answer['authorizationData']
  const given = asWords(Array.isArray(data) ? data[0] : data)
  const [, username, password] =
    /^([^:]+):(.+)$/s.exec(Buffer.from(wordIn(given, 'authorizationToken') ?? '', 'base64').toString()) ?? []
  const endsAt = Number(given['expiresAt']) * 1000
  if (username === undefined || password === undefined || Number.isNaN(endsAt))
    throw new CloudAway(`${url.host} answered without a token`)
  return { username, password, endsAt }
}

/** Gets the keys of a role for a job that shows who it is. `session` is what the records of Amazon call it. */
export async function assumeRole(
  { sts }: AmazonRegistry,
  { roleArn, token, session }: { readonly roleArn: string; readonly token: string; readonly session: string },
  endpoints: CloudEndpoints,
  outward: Outward,
): Promise<AmazonKeys> {
  const url = addressOf(endpoints.sts, sts, '/')
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: session,
    WebIdentityToken: token,
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, text } = await ask({ url, headers, body }, outward)
  const said = await xmlTexts(text)
  if (status !== 200) throw complaint(url.host, status, said.get('Code'), said.get('Message'), [token])
  const [accessKeyId = '', secretAccessKey = '', sessionToken = ''] = [
    'AccessKeyId',
    'SecretAccessKey',
    'SessionToken',
  ].map((name) => said.get(name))
  if (accessKeyId === '' || secretAccessKey === '' || sessionToken === '')
    throw new CloudAway(`${url.host} answered without keys`)
  return { accessKeyId, secretAccessKey, sessionToken }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return asWords(JSON.parse(text))
  } catch {
    return {}
  }
}

const asWords = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>

const wordIn = (answer: Readonly<Record<string, unknown>>, key: string) => {
  const value = answer[key]
  return typeof value === 'string' ? value : undefined
}
