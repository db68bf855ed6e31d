import { answerIn, ask, CloudAway, complaint, type Outward } from './ask.ts'
import { addressOf, type CloudEndpoints } from './endpoints.ts'
import type { Login } from './login.ts'

/** Registries know no narrower one that works at all of them; what the account may do is what counts. */
const scope = 'https://www.googleapis.com/auth/cloud-platform'

interface Account {
  /** Its address: `ci@project.iam.gserviceaccount.com`. */
  readonly account: string
  /** In full: `projects/1/locations/global/workloadIdentityPools/ci/providers/rh`. */
  readonly provider: string
  readonly token: string
}

/** Gets what opens a registry to a service account, for a job that shows who it is. */
export async function loginByAccount(
  { account, provider, token }: Account,
  endpoints: CloudEndpoints,
  outward: Outward,
): Promise<Login> {
  const federated = await exchange(provider, token, endpoints, outward)
  const name = account.replace(/^.*serviceAccounts\//, '')
  const path = `/v1/projects/-/serviceAccounts/${encodeURIComponent(name)}:generateAccessToken`
  const url = addressOf(endpoints['google-iamcredentials'], 'iamcredentials.googleapis.com', path)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${federated}` }
  const body = JSON.stringify({ scope: [scope], lifetime: '3600s' })
  const { status, text } = await ask({ url, headers, body }, outward)
  const answer = answerIn<{ accessToken?: string; expireTime?: string; error?: { status?: string; message?: string } }>(
    text,
  )
  if (status !== 200) throw complaint(url.host, status, answer.error?.status, answer.error?.message, [federated, token])
  const { accessToken: password = '', expireTime = '' } = answer
  const endsAt = Date.parse(expireTime)
  if (password === '' || Number.isNaN(endsAt)) throw new CloudAway(`${url.host} answered without a token`)
  return { username: 'oauth2accesstoken', password, endsAt }
}

/** What Google knows the job by, for its own token (RFC 8693). */
async function exchange(provider: string, token: string, endpoints: CloudEndpoints, outward: Outward): Promise<string> {
  const url = addressOf(endpoints['google-sts'], 'sts.googleapis.com', '/v1/token')
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    audience: `//iam.googleapis.com/${provider}`,
    scope,
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    subject_token: token,
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, text } = await ask({ url, headers, body }, outward)
  const answer = answerIn<{ access_token?: string; error?: string; error_description?: string }>(text)
  if (status !== 200) throw complaint(url.host, status, answer.error, answer.error_description, [token])
  if (typeof answer.access_token !== 'string' || answer.access_token === '')
    throw new CloudAway(`${url.host} answered without a token`)
  return answer.access_token
}
