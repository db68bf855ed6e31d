import type { AmazonRegistry } from '#kit/image-registry.ts'
import { answerIn, ask, CloudAway, complaint, type Outward } from './ask.ts'
import { addressOf, type CloudEndpoints } from './endpoints.ts'
import type { Login } from './login.ts'
import { type AmazonKeys, signedHeaders } from './signature.ts'
import { xmlTexts } from './xml-texts.ts'

/** What Amazon calls the same question at its two kinds of registry. */
const targets = {
  ecr: 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken',
  'ecr-public': 'SpencerFrontendService.GetAuthorizationToken',
} as const

interface Grant {
  readonly authorizationToken?: unknown
  readonly expiresAt?: unknown
}

/** Of the private registry a list, of the public one the grant itself. */
interface Answer {
  readonly authorizationData: readonly Grant[] | Grant
  readonly __type: unknown
  readonly message: unknown
  readonly Message: unknown
}

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
  const answer = answerIn<Answer>(text)
  if (status !== 200) {
    // `com.amazonaws.ecr#AccessDeniedException`
    const code = textIn(answer.__type)?.split('#').at(-1)
    const secrets = [keys.secretAccessKey, keys.sessionToken ?? '', signed['authorization'] ?? '']
    throw complaint(url.host, status, code, textIn(answer.message) ?? textIn(answer.Message), secrets)
  }
  const { authorizationData: data } = answer
  const given = Array.isArray(data) ? data[0] : data
  const [, username, password] =
    /^([^:]+):(.+)$/s.exec(Buffer.from(textIn(given?.authorizationToken) ?? '', 'base64').toString()) ?? []
  const endsAt = Number(given?.expiresAt) * 1000
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

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)
