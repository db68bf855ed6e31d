import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { fakeClouds } from '#agent/testing/fake-clouds.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld, tempFolder } from '#agent/testing/world.ts'
import type { JobSpec } from '#contract/agent.ts'
import { lane } from '#test/lanes.ts'
import { folderWith } from '#test/run/run-here.ts'
import { startEngine, type TestEngine } from './engine.ts'
import { fakeRegistry } from './registry.ts'

type CloudAuth = NonNullable<Extract<JobSpec['executor'], { type: 'docker' }>['images'][number]['cloud_auth']>

const amazon = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
const google = 'europe-west1-docker.pkg.dev'
const token = 'header.who-the-job-is.signature'
const secret = 'wJalr/XUtnFEMI+of-the-tests'
const pool = 'projects/12/locations/global/workloadIdentityPools/ci'
const arn = 'arn:aws:iam::123456789012:role/pull'
const account = 'ci@acme.iam.gserviceaccount.com'
const keys = { type: 'aws_keys', access_key_id: 'AKIA1', secret_access_key: secret } as const
/** Whatever proxy this machine has, it is not for what is on it. */
const noOthers = { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' }

suite('images of clouds', { skip: lane('docker').reason }, () => {
  let clouds: Awaited<ReturnType<typeof fakeClouds>>
  let registry: Awaited<ReturnType<typeof fakeRegistry>>
  let engine: TestEngine
  before(async () => {
    const known = { keys: { AKIA1: secret }, roles: { [arn]: token } }
    clouds = await fakeClouds({ ...known, accounts: { [account]: { provider: `${pool}/providers/rh`, token } } })
    using folder = tempFolder()
    mkdirSync(`${folder.path}/bin`)
    execFileSync('cp', ['/bin/busybox', `${folder.path}/bin/sh`])
    const layer = execFileSync('tar', ['-c', '-C', folder.path, '-f', '-', '.'], { maxBuffer: 64 * 1024 * 1024 })
    registry = await fakeRegistry(layer, (shown) => {
      const [, user, password = ''] = /^(AWS|oauth2accesstoken):(.*)$/.exec(shown) ?? []
      return password.startsWith(user === 'AWS' ? 'amazon-' : 'google-') && clouds.given.has(password)
    })
    // The engine finds the registries of clouds where its proxy is.
    const proxy = `http://${registry.host}`
    const words = [amazon, google].map((host) => `--insecure-registry=${host}`)
    engine = await startEngine({ words, environment: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ...noOthers } })
  })
  after(async () => {
    await engine?.[Symbol.asyncDispose]()
    await registry?.[Symbol.asyncDispose]()
    await clouds?.[Symbol.asyncDispose]()
  })

  const from = (host: string, cloud_auth: CloudAuth) =>
    job([{ type: 'spin_up', name: 'Spin up environment', when: 'always' }, run('echo pulled')], {
      executor: { type: 'docker', images: [{ image: `${host}/one`, environment: {}, cloud_auth }] },
    })

  test('a job runs in an image that its cloud gave the credentials for, and its log has none of them', async () => {
    await using it = await smallWorld(
      {},
      { docker: { address: engine.address, clouds: { endpoints: clouds.endpoints } } },
    )
    const began = clouds.asked.length
    for (const [host, auth] of [
      [amazon, keys],
      [amazon, { type: 'aws_role', role_arn: arn, token }],
      [google, { type: 'gcp_account', account, pool, provider: 'rh', token }],
    ] as const) {
      const { outcome, logs } = await it.play(from(host, auth), 180_000)
      assert.deepEqual([outcome, logs[1]], ['success', 'pulled\n'], logs[0])
      const hidden = [...clouds.given, secret, token]
      assert.deepEqual(
        hidden.filter((word) => logs.join('').includes(word)),
        [],
      )
    }
    const all = ['ecr', 'sts', 'ecr', 'google-sts', 'google-iamcredentials']
    assert.deepEqual(clouds.asked.slice(began), all)

    // What was given before is used again, and replaced where the registry takes it no more.
    assert.equal((await it.play(from(amazon, keys), 180_000)).outcome, 'success')
    assert.equal(clouds.asked.length, began + all.length)
    clouds.given.clear()
    assert.equal((await it.play(from(amazon, keys), 180_000)).outcome, 'success')
    assert.deepEqual(clouds.asked.slice(began + all.length), ['ecr'])

    const refused = await it.play(from(amazon, { ...keys, secret_access_key: 'of-yesterday' }), 180_000)
    assert.deepEqual([refused.outcome, ...refused.statuses], ['failed', 'failed', 'skipped'])
    assert.match(refused.logs[0]!, /^Cannot get credentials for 123\S+ from Amazon: InvalidSignatureException: /m)
    clouds.say('ecr', { status: 503, body: '' })
    const away = await it.play(from(amazon, { ...keys, access_key_id: 'AKIA2' }), 180_000)
    clouds.say('ecr')
    assert.equal(away.outcome, 'infrastructure_fail')
    assert.match(away.logs[0]!, /^Cannot get credentials for 123\S+ from Amazon: 127\S+ answered 503$/m)
  })

  test('a run without a server gets images with keys of an env file, and says that it can show no identity', async () => {
    const image = (name: string, auth: string) => `docker: [{image: ${amazon}/${name}, aws_auth: ${auth}}]`
    const config = `version: 2.1
jobs:
  keys: {${image('one', '{aws_access_key_id: AKIA1, aws_secret_access_key: $ECR_SECRET}')}, steps: [run: echo pulled]}
  role: {${image('two', `{oidc_role_arn: "${arn}"}`)}, steps: [run: echo pulled]}
workflows: {main: {jobs: [keys, role]}}
`
    engine.docker('rmi', '--force', `${amazon}/one`)
    using it = folderWith(
      { '.circleci/config.yml': config, '../env': `ECR_SECRET=${secret}\n` },
      { DOCKER_HOST: engine.address, AWS_ENDPOINT_URL_ECR: String(clouds.endpoints['ecr']), ...noOthers },
    )
    const { status, stdout, stderr } = await it.run('--verbose', '--env-file', '../env')
    assert.match(stdout, /\u2713 keys /, stdout + stderr)
    assert.match(stdout, /without the credentials of 123\S+\/two: there is no identity token without a server/)
    assert.match(stdout, /\u2717 role /)
    assert.deepEqual([status, stdout.includes(secret)], [1, false])
  })
})
