import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/v2/claims.ts'
import { getProject } from '#contract/v2/project.ts'
import { triggerPipeline } from '#contract/v2/pipeline.ts'
import { newHand } from './hand.ts'
import { newPerson } from './people.ts'
import { openService } from './service.ts'

const config =
  'version: 2.1\njobs:\n  build:\n    machine: true\n    steps: [{run: make}]\nworkflows:\n  main:\n    jobs: [build]\n'
const slug = { provider: 'provider-a', org: 'acme', repo: 'web' } as const

test('what an organization and a project want of the tokens of their jobs is in them', async () => {
  await using service = await openService()
  const ada = await newPerson(service.world, 'ada')
  const hand = await newHand(service)
  await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  await hand.claim()
  const project = await service.call(getProject, { params: slug }, ada.token)
  const params = { org_id: project.organization_id }
  const both = { ...params, project_id: project.id }
  /** Audience and seconds of the token of a new job. */
  const told = async () => {
    await service.call(triggerPipeline, { params: slug, body: {} }, ada.token)
    const [job] = await hand.claim()
    const [, body = ''] = (job?.environment['SERVICE_OIDC_TOKEN'] ?? '').split('.')
    const { aud, iat, exp } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, number>
    return [aud, (exp ?? 0) - (iat ?? 0)]
  }
  assert.deepEqual(await service.call(contract.getOrgClaims, { params }, ada.token), params)
  assert.deepEqual(await told(), [project.organization_id, 3600])

  const body = { audience: ['cloud', 'vault'], ttl: '1h30m' }
  const made = await service.call(contract.updateOrgClaims, { params, body }, ada.token)
  assert.deepEqual([made.audience, made.ttl, made.project_id], [body.audience, body.ttl, undefined])
  assert.deepEqual(await told(), [['cloud', 'vault'], 5400])
  const own = await service.call(contract.updateProjectClaims, { params: both, body: { audience: ['own'] } }, ada.token)
  assert.deepEqual([own.project_id, own.ttl], [project.id, undefined])
  assert.deepEqual(await told(), ['own', 5400])
  await service.call(contract.deleteProjectClaims, { params: both, query: { claims: 'audience,ttl' } }, ada.token)
  const left = await service.call(contract.deleteOrgClaims, { params, query: { claims: 'ttl' } }, ada.token)
  assert.deepEqual([left.audience, left.ttl], [body.audience, undefined])
  assert.deepEqual(await told(), [['cloud', 'vault'], 3600])

  const ask = (method: string, query: string, given?: unknown) =>
    service.ask({
      method,
      path: `/api/v2/org/${params.org_id}/oidc-custom-claims${query}`,
      token: ada.token,
      ...(given !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(given) }),
    })
  for (const given of [{ ttl: '10s' }, { ttl: '2d' }, { ttl: 'soon' }, { audience: [] }, { audience: 'cloud' }])
    assert.equal((await ask('PATCH', '', given)).status, 400, JSON.stringify(given))
  assert.equal((await ask('DELETE', '')).status, 400)
  assert.equal((await ask('DELETE', '?claims=name')).status, 400)
  const path = `/api/v2/org/${service.world.newId()}/project/${project.id}/oidc-custom-claims`
  assert.equal((await service.ask({ method: 'GET', path, token: ada.token })).status, 404)
})
