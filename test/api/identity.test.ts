import assert from 'node:assert/strict'
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { makeIdentityToken } from '#contract/agent/identity.ts'
import type { JobSpec } from '#contract/agent.ts'
import { newHand } from './hand.ts'
import { newPerson } from './people.ts'
import { openService, type Service } from './service.ts'

const config =
  'version: 2.1\njobs:\n  build:\n    machine: true\n    steps: [{run: make}]\nworkflows:\n  main:\n    jobs: [build]\n'

interface Discovery {
  readonly issuer: string
  readonly jwks_uri: string
}

describe('the identity of a job', () => {
  let service: Service
  let job: JobSpec
  let user: string
  before(async () => {
    service = await openService()
    const ada = await newPerson(service.world, 'ada')
    user = ada.id
    const hand = await newHand(service)
    await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
    ;[job] = (await hand.claim()) as [JobSpec]
  })
  after(() => service[Symbol.asyncDispose]())

  const get = async <T>(url: string): Promise<T> => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(120_000) })
    assert.equal(answer.status, 200, url)
    return (await answer.json()) as T
  }

  /** Does as those do to whom a token is shown: believes it only by what the issuer publishes. */
  async function claimsOf(token: string): Promise<Readonly<Record<string, unknown>>> {
    const [header = '', body = '', signature = ''] = token.split('.')
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
    const claims = read(body)
    const { issuer, jwks_uri } = await get<Discovery>(`${String(claims['iss'])}/.well-known/openid-configuration`)
    assert.equal(issuer, claims['iss'])
    const { keys } = await get<{ readonly keys: readonly JsonWebKey[] }>(jwks_uri)
    const key = keys.find(({ kid }) => kid === read(header)['kid'])
    assert.ok(key && key['d'] === undefined)
    const how = { key: createPublicKey({ format: 'jwk', key }), dsaEncoding: 'ieee-p1363' } as const
    const isRight = (text: string) => verify('sha256', Buffer.from(text), how, Buffer.from(signature, 'base64url'))
    assert.deepEqual([isRight(`${header}.${body}`), isRight(`${header}.${body}x`)], [true, false])
    return claims
  }

  test('is in its environment, signed by a key that the installation publishes, and a secret', async () => {
    const { CIRCLE_OIDC_TOKEN: first = '', CIRCLE_OIDC_TOKEN_V2: second = '' } = job.environment
    assert.deepEqual([job.environment['SERVICE_OIDC_TOKEN'], job.environment['SERVICE_OIDC_TOKEN_V2']], [first, second])
    assert.deepEqual(
      [first, second].map((token) => job.secrets.includes(token)),
      [true, true],
    )
    const { CIRCLE_ORGANIZATION_ID: organization, CIRCLE_PROJECT_ID: project } = job.environment
    const claims = await claimsOf(first)
    const { iat, exp } = claims as { readonly iat: number; readonly exp: number }
    assert.equal(exp - iat, 3600)
    const subject = `org/${organization}/project/${project}/user/${user}`
    const origin = `${service.base.replace('http://', '')}/git/acme/web`
    const more = {
      'project-id': project,
      'context-ids': [],
      'vcs-origin': origin,
      'vcs-ref': 'refs/heads/main',
      'ssh-rerun': false,
      'pipeline-id': job.environment['CIRCLE_PIPELINE_ID'],
      'workflow-id': job.environment['CIRCLE_WORKFLOW_ID'],
      'job-id': job.id,
    }
    const under = (prefix: string) =>
      Object.fromEntries(Object.entries(more).map(([name, value]) => [prefix + name, value]))
    const all = {
      iss: `${service.base}/org/${organization}`,
      aud: organization,
      iat,
      exp,
      ...under('oidc.service/'),
      ...under('oidc.circleci.com/'),
    }
    assert.deepEqual(claims, { ...all, sub: subject })
    const long = `${subject}/vcs-origin/${origin}/vcs-ref/refs/heads/main`
    assert.deepEqual(await claimsOf(second), {
      ...all,
      iat: (await claimsOf(second))['iat'],
      exp: (await claimsOf(second))['exp'],
      sub: long,
    })
  })

  test('is made again for whom the job names, with its own token only', async () => {
    const ask = (body: { audience?: string }, token: string) =>
      service.call(makeIdentityToken, { params: { id: job.id }, body }, token)
    assert.equal((await claimsOf((await ask({ audience: 'them' }, job.token)).token))['aud'], 'them')
    assert.equal((await claimsOf((await ask({}, job.token)).token))['aud'], job.environment['CIRCLE_ORGANIZATION_ID'])
  })

  test('is not given to code of strangers', async () => {
    await service.world.db.updateTable('pipelines').set({ trust: 'fork' }).execute()
    const path = `/api/rh/v1/agent/job/${job.id}/identity`
    const headers = { 'content-type': 'application/json' }
    const answer = await service.ask({ method: 'POST', path, token: job.token, headers, body: '{}' })
    assert.equal(answer.status, 403)
  })
})
