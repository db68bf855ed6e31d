import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentProtocol, claimJobs, registerAgent } from '#contract/agent.ts'
import * as runners from '#contract/v2/runner.ts'
import { join, newPerson } from './people.ts'
import { openService } from './service.ts'

const config = `version: 2.1
jobs:
  build:
    machine: true
    resource_class: acme/gpu
    steps: [run: echo built]
workflows:
  main:
    jobs: [build]
`
const json = { 'content-type': 'application/json' }

test('an agent with the token of a resource class serves it and nothing else, for its organization', async () => {
  await using service = await openService()
  const [ada, max, sam] = await Promise.all(['ada', 'max', 'sam'].map((login) => newPerson(service.world, login)))
  assert.ok(ada && max && sam)
  await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  await join(service.world, max, 'acme', 'member')
  const ask = (method: string, path: string, token: string, body?: unknown) =>
    service.ask({ method, path, token, ...(body !== undefined && { headers: json, body: JSON.stringify(body) }) })

  const wanted = { resource_class: 'acme/gpu', description: 'fast' }
  const made = await service.call(runners.createResourceClass, { body: wanted }, ada.token)
  assert.deepEqual(made, { id: made.id, ...wanted })
  assert.equal((await ask('POST', '/api/v3/runner/resource', ada.token, wanted)).status, 409)
  assert.equal((await ask('POST', '/api/v3/runner/resource', max.token, { resource_class: 'acme/x' })).status, 403)
  assert.equal((await ask('POST', '/api/v3/runner/resource', sam.token, { resource_class: 'acme/x' })).status, 404)
  assert.equal((await ask('POST', '/api/v3/runner/resource', ada.token, { resource_class: 'gpu' })).status, 400)
  const list = async (token: string, query = '?namespace=acme') => {
    const answer = await ask('GET', `/api/v3/runner/resource${query}`, token)
    return (JSON.parse(answer.text) as { readonly items: readonly unknown[] }).items
  }
  assert.deepEqual([await list(ada.token), await list(sam.token), await list(max.token, '')], [[made], [], [made]])

  const body = { resource_class: 'acme/gpu', nickname: 'box' }
  const token = await service.call(runners.createRunnerToken, { body }, ada.token)
  const query = { 'resource-class': 'acme/gpu' }
  const { items } = await service.call(runners.listRunnerTokens, { query }, ada.token)
  assert.deepEqual(items, [{ id: token.id, ...body, created_at: token.created_at }])
  const waiting = async () => (await service.call(runners.countWaitingTasks, { query }, ada.token)).unclaimed_task_count
  await service.until(async () => ((await waiting()) === 1 ? true : undefined))

  const instance = service.world.newId()
  const said = {
    instance,
    name: 'box-1',
    version: '7',
    slots: 1,
    resource_classes: ['something/else'],
    protocol: agentProtocol,
  }
  await service.call(registerAgent, { body: said }, token.token)
  const claimed = await service.call(claimJobs, { body: { instance, free: 1 } }, token.token)
  assert.equal(claimed.jobs.length, 1)
  const running = await service.call(runners.countRunningTasks, { query }, ada.token)
  assert.deepEqual([await waiting(), running.running_runner_tasks], [0, 1])
  const there = await service.call(runners.listRunners, { query: { namespace: 'acme' } }, ada.token)
  assert.deepEqual(
    there.items.map(({ name, resource_class, version }) => [name, resource_class, version]),
    [['box-1', 'acme/gpu', '7']],
  )

  assert.equal((await ask('DELETE', `/api/v3/runner/resource/${made.id}`, ada.token)).status, 409)
  assert.equal((await ask('DELETE', `/api/v3/runner/token/${token.id}`, max.token)).status, 403)
  assert.equal((await ask('DELETE', `/api/v3/runner/resource/${made.id}/force`, ada.token)).status, 200)
  assert.deepEqual(await list(ada.token), [])
  const late = { method: 'POST', path: '/api/rh/v1/agent/claim', token: token.token, headers: json }
  assert.equal((await service.ask({ ...late, body: JSON.stringify({ instance, free: 1 }) })).status, 401)
})
