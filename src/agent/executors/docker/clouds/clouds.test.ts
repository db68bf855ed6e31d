import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Unready } from '#agent/executors/executor.ts'
import { fakeClouds } from '#agent/testing/fake-clouds.ts'
import { selfSigned } from '#test/certificate.ts'
import { type CloudAuth, openClouds } from './clouds.ts'
import { cloudsIn } from './endpoints.ts'

const image = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/one:1'
const token = 'header.who-the-job-is.signature'
const secret = 'wJalr/XUtnFEMI+of-the-tests'
const provider = 'projects/12/locations/global/workloadIdentityPools/ci/providers/rh'
const known = {
  keys: { AKIA1: secret },
  roles: { 'arn:aws:iam::1:role/pull': token },
  accounts: { 'ci@acme.iam.gserviceaccount.com': { provider, token } },
}
const keys = { type: 'aws_keys', access_key_id: 'AKIA1', secret_access_key: secret } as const
const role = { type: 'aws_role', role_arn: 'arn:aws:iam::1:role/pull', token } as const
const account = {
  type: 'gcp_account',
  account: 'ci@acme.iam.gserviceaccount.com',
  pool: 'projects/12/locations/global/workloadIdentityPools/ci',
  provider: 'rh',
  token,
} as const
const gar = 'europe-west1-docker.pkg.dev/acme/images/one'

type Clouds = ReturnType<typeof openClouds>
const wish = (auth: CloudAuth, from = auth.type === 'gcp_account' ? gar : image) => ({
  image: from,
  auth,
  job: '0198b0a5-0000-7000-8000-000000000000',
  signal: new AbortController().signal,
})

/** What keeps somebody from getting a login, and whose fault it is. */
async function obstacle(clouds: Clouds, ...asking: Parameters<typeof wish>): Promise<string> {
  try {
    return `none: ${(await clouds.login(wish(...asking))).password}`
  } catch (error) {
    return error instanceof Unready ? `${error.fault}: ${error.message}` : String(error)
  }
}

test('keys, roles and service accounts open registries, each by the questions that its cloud wants', async () => {
  await using fake = await fakeClouds(known)
  const clouds = openClouds({ endpoints: fake.endpoints })
  const got = []
  for (const one of [wish(keys), wish(keys, 'public.ecr.aws/acme/one'), wish(role), wish(account)]) {
    const { username, password } = await clouds.login(one)
    got.push([username, fake.given.has(password)])
  }
  assert.deepEqual(got, [
    ['AWS', true],
    ['AWS', true],
    ['AWS', true],
    ['oauth2accesstoken', true],
  ])
  assert.deepEqual(fake.asked, ['ecr', 'ecr-public', 'sts', 'ecr', 'google-sts', 'google-iamcredentials'])
})

test('what was given is kept for who asked, until it is refused or nearly over', async () => {
  await using fake = await fakeClouds({ ...known, keys: { AKIA1: secret, AKIA2: 'of-another' } })
  const clouds = openClouds({ endpoints: fake.endpoints })
  const first = await clouds.login(wish(keys))
  const again = await clouds.login(wish(keys))
  assert.deepEqual([again.password, first.kept, again.kept], [first.password, false, true])
  // Whoever shows other things is somebody else, also for the same role, which is for the cloud to decide.
  const other = await clouds.login(wish({ ...keys, access_key_id: 'AKIA2', secret_access_key: 'of-another' }))
  assert.notEqual(other.password, first.password)
  await clouds.login(wish(role))
  assert.match(await obstacle(clouds, { ...role, token: 'of-another-job' }), /^job: .*AccessDenied/)
  assert.match(await obstacle(clouds, { ...keys, secret_access_key: 'wrong' }), /^job: .*InvalidSignatureException/)

  clouds.forget(again)
  fake.lasting(4 * 60_000)
  const short = await clouds.login(wish(keys))
  const next = await clouds.login(wish(keys))
  assert.deepEqual(
    [short.kept, next.kept, new Set([first, short, next].map((one) => one.password)).size],
    [false, false, 3],
  )
})

test('a refusal is told in the words of the cloud, without what was shown to it, and is the fault of the job', async () => {
  await using fake = await fakeClouds(known)
  const clouds = openClouds({ endpoints: fake.endpoints })
  const ours = 'job: Cannot get credentials for 123456789012.dkr.ecr.eu-west-1.amazonaws.com from Amazon:'
  const theirs = 'job: Cannot get credentials for europe-west1-docker.pkg.dev from Google:'
  assert.deepEqual(
    [
      await obstacle(clouds, { ...keys, access_key_id: 'AKIA9' }),
      await obstacle(clouds, { ...role, token: 'of-another-job' }),
      await obstacle(clouds, { ...account, token: 'of-another-job' }),
      await obstacle(clouds, { ...account, account: 'other@acme.iam.gserviceaccount.com' }),
      await obstacle(clouds, { ...account, pool: 'ci' }),
      await obstacle(clouds, keys, 'ghcr.io/acme/one'),
      await obstacle(clouds, account, 'ghcr.io/acme/one'),
    ],
    [
      `${ours} UnrecognizedClientException: UnrecognizedClientException it is`,
      `${ours} AccessDenied: Not authorized to perform "sts:AssumeRoleWithWebIdentity" with ****`,
      `${theirs} invalid_grant: The token **** is not known`,
      `${theirs} PERMISSION_DENIED: Permission denied on other@acme.iam.gserviceaccount.com`,
      `${theirs} the pool must be projects/<number>/locations/global/workloadIdentityPools/<pool>: it is ci`,
      'job: Cannot get credentials for ghcr.io from Amazon: this registry is not theirs',
      'job: Cannot get credentials for ghcr.io from Google: this registry is not theirs',
    ],
  )
  // Amazon quotes what it has signed itself, session token and all.
  fake.say('ecr', {
    status: 400,
    body: JSON.stringify({ __type: 'InvalidSignatureException', message: `x ${secret} y` }),
  })
  assert.equal(await obstacle(clouds, keys), `${ours} InvalidSignatureException: x **** y`)
})

test('a cloud that cannot be reached, or cannot answer, is the fault of nobody in the job', async () => {
  await using fake = await fakeClouds(known)
  const clouds = openClouds({ endpoints: fake.endpoints })
  const told = async (status: number, body: string) => {
    fake.say('ecr', { status, body })
    return (await obstacle(clouds, keys)).replace(
      /^agent: Cannot get credentials for \S+ from Amazon: 127\S+ /,
      'away: ',
    )
  }
  assert.deepEqual(
    [
      await told(503, 'busy'),
      await told(302, ''),
      await told(400, '{"__type":"ThrottlingException","message":"Rate exceeded"}'),
      await told(200, 'no JSON'),
      await told(200, '{"authorizationData":[{"authorizationToken":"bm8=","expiresAt":1}]}'),
    ],
    [
      'away: answered 503',
      'away: answered 302',
      'away: answered 400: ThrottlingException: Rate exceeded',
      'away: answered without a token',
      'away: answered without a token',
    ],
  )
  fake.say('ecr', { status: 200, body: 'x'.repeat(70_000) })
  assert.match(await obstacle(clouds, keys), /^agent: .*: its answer is longer than 65536 bytes$/)
  const { ecr } = fake.endpoints
  await fake[Symbol.asyncDispose]()
  assert.match(
    await obstacle(openClouds({ endpoints: { ecr: ecr! } }), keys),
    /^agent: .*Cannot reach 127.*ECONNREFUSED/,
  )
})

test('what the environment says of the way to clouds is taken over, and what is no address is refused', () => {
  const environment = {
    AWS_ENDPOINT_URL_ECR: 'https://ecr.example.com',
    CLOUDSDK_API_ENDPOINT_OVERRIDES_STS: 'https://sts.example.com/',
    HTTPS_PROXY: 'http://proxy.example.com:3128',
    AWS_SECRET_ACCESS_KEY: 'of-the-agent',
  }
  assert.deepEqual(cloudsIn(environment), {
    endpoints: { ecr: 'https://ecr.example.com', 'google-sts': 'https://sts.example.com/' },
    proxy: { HTTPS_PROXY: 'http://proxy.example.com:3128' },
  })
  assert.throws(
    () => cloudsIn({ AWS_ENDPOINT_URL_STS: 'sts.example.com' }),
    /Cannot use AWS_ENDPOINT_URL_STS as it must be/,
  )
})

test('the way to clouds leads through the proxy that the environment names', async () => {
  const tunnels: string[] = []
  const proxy = createServer().on('connect', (request, socket) => {
    tunnels.push(request.url ?? '')
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  try {
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const clouds = openClouds({ proxy: { HTTPS_PROXY: address } })
    assert.match(await obstacle(clouds, keys), /^agent: .*Cannot reach api\.ecr\.eu-west-1\.amazonaws\.com/)
    assert.deepEqual(tunnels, ['api.ecr.eu-west-1.amazonaws.com:443'])
  } finally {
    await new Promise((resolve) => proxy.close(resolve))
  }
})

test('a cloud that cannot prove that it is one is shown nothing', async () => {
  let shown = 0
  const other = createTlsServer(selfSigned(), (_, response) => response.end(String(shown++)))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  try {
    const ecr = `https://127.0.0.1:${(other.address() as AddressInfo).port}`
    assert.match(await obstacle(openClouds({ endpoints: { ecr } }), keys), /^agent: .*self-signed certificate/)
    assert.equal(shown, 0)
  } finally {
    await new Promise((resolve) => other.close(resolve))
  }
})

test('where no server vouches for jobs, their identity is of no use, and keys are', () => {
  const clouds = openClouds({ alone: true })
  assert.deepEqual(
    [keys, role, account].map((auth) => clouds.obstacle(auth) !== undefined),
    [false, true, true],
  )
  assert.equal(openClouds().obstacle(role), undefined)
})
