import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listContexts, listContextVariables } from '#contract/v2/context.ts'
import { listAudit } from '#contract/rh/organizations.ts'
import { openFarm } from './farm.ts'
import { openService } from './service.ts'

const contexts = `
  query ContextsQuery($orgId: ID!) {
    organization(id: $orgId) { id contexts { edges { node { ...Context } } } }
  }
  fragment Context on Context {
    id name createdAt
    groups { edges { node { ...SecurityGroups } } }
    resources { ...EnvVars }
  }
  fragment EnvVars on EnvironmentVariable { variable createdAt truncatedValue }
  fragment SecurityGroups on Group { id name }`

test('contexts, organizations and configurations can be asked for as older clients do', async () => {
  await using service = await openService()
  const { ada, stranger, viewer, project } = await openFarm(service)
  const run = async (query: string, variables: unknown = {}, token = ada.token) => {
    const answer = await service.ask({
      method: 'POST',
      path: '/graphql-unstable',
      headers: { 'content-type': 'application/json; charset=utf-8', authorization: token },
      body: JSON.stringify({ query, variables }),
    })
    assert.equal(answer.status, 200, answer.text)
    return JSON.parse(answer.text)
  }
  assert.deepEqual(await run('query { me { id name } }'), { data: { me: { id: ada.id, name: ada.login } } })
  const org = 'query($n: String!, $v: VCSType!) { organization(name: $n, vcsType: $v) { id } }'
  const id = project.organization_id
  assert.deepEqual(await run(org, { n: 'acme', v: 'GITHUB' }), { data: { organization: { id } } })
  assert.deepEqual(await run(org, { n: 'none', v: 'GITHUB' }), { data: { organization: null } })
  assert.deepEqual(await run(org, { n: 'acme', v: 'GITHUB' }, stranger.token), { data: { organization: null } })

  const create =
    'mutation($input: CreateContextInput!) { createContext(input: $input) { error { type } context { id } } }'
  const input = { ownerId: id, ownerType: 'ORGANIZATION', contextName: 'old-way' }
  const made = await run(create, { input })
  assert.equal(made.data.createContext.error, null)
  const contextId = made.data.createContext.context.id
  assert.match((await run(create, { input })).errors[0].message, /already exists/)
  assert.equal((await run(create, { input: { ...input, contextName: 'other' } }, viewer.token)).data, null)
  for (const contextName of ['', ' x', 'a\u0000b', 7])
    assert.ok((await run(create, { input: { ...input, contextName } }).catch(() => ({ errors: [1] }))).errors)

  const store = 'mutation($input: X!) { storeEnvironmentVariable(input: $input) { context { id } error { type } } }'
  const variable = { contextId, variable: 'KEY', value: 'very-secret' }
  assert.deepEqual((await run(store, { input: variable })).data.storeEnvironmentVariable.context, { id: contextId })
  assert.ok((await run(store, { input: { ...variable, variable: '1 bad' } })).errors)
  const listed = await run(contexts, { orgId: id })
  const nodes = listed.data.organization.contexts.edges.map(({ node }: { node: { name: string } }) => node)
  const old = nodes.find(({ name }: { name: string }) => name === 'old-way')
  assert.deepEqual(old.resources, [{ variable: 'KEY', createdAt: old.resources[0].createdAt, truncatedValue: '' }])
  assert.doesNotMatch(JSON.stringify(listed), /secret/)
  const kept = await service.call(listContextVariables, { params: { context_id: contextId }, query: {} }, ada.token)
  assert.deepEqual(
    kept.items.map((one) => one.variable),
    ['KEY'],
  )
  const remove =
    'mutation($input: X!) { removeEnvironmentVariable(input: $input) { context { id resources { variable } } } }'
  for (const _twice of [1, 2]) {
    const gone = await run(remove, { input: { contextId, variable: 'KEY' } })
    assert.deepEqual(gone.data.removeEnvironmentVariable.context, { id: contextId, resources: [] })
  }
  const drop = 'mutation($contextId: UUID) { deleteContext(input: { contextId: $contextId }) { clientMutationId } }'
  assert.deepEqual(await run(drop, { contextId }), { data: { deleteContext: { clientMutationId: null } } })
  const left = await service.call(listContexts, { query: { 'owner-id': id } }, ada.token)
  assert.ok(!left.items.some(({ name }) => name === 'old-way'))

  const check =
    'query($c: String!) { buildConfig(configYaml: $c) { valid, errors { message }, sourceYaml, outputYaml } }'
  const bad = await run(check, { c: 'nope' })
  assert.equal(bad.data.buildConfig.valid, false)
  assert.match(bad.data.buildConfig.errors[0].message, /version/)
  const schema = await run('{ __schema { queryType { name } types { name fields { name } } } }')
  assert.equal(schema.data.__schema.queryType.name, 'QueryRoot')
  assert.match((await run('{ orbs { name } }')).errors[0].message, /Cannot query field `orbs' on type `QueryRoot'/)
  const deeds = await service.call(listAudit, { params: { organization_id: id }, query: {} }, ada.token)
  const actions = deeds.items.map(({ action }) => action)
  for (const action of ['v2 createContext', 'v2 storeEnvironmentVariable', 'v2 deleteContext'])
    assert.ok(actions.includes(action), action)
  assert.doesNotMatch(JSON.stringify(deeds), /secret/)
})
