import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import Fastify, { type RouteHandlerMethod } from 'fastify'
import { catalog, type Generation, type Operation } from '#contract/catalog.ts'

const P = '/project/{vcs-type}/{username}/{project}'
const S = '/project/{project-slug}'
const I = '/insights/{project-slug}'

/** The tables of §4.1, §4.2 and §4.3, in their own notation; the codes are ours where the interface shows none. */
const tables: Readonly<Record<'v1' | 'v2', readonly string[]>> = {
  v1: [
    'GET    /me 200',
    'GET    /projects 200',
    'GET    /recent-builds 200',
    `GET    ${P} 200`,
    `GET    ${P}/tree/{branch} 200`,
    `GET    ${P}/{build_num} 200`,
    `GET    ${P}/{build_num}/artifacts 200`,
    `GET    ${P}/latest/artifacts 200`,
    `GET    ${P}/{build_num}/tests 200`,
    `POST   ${P}/follow 200`,
    'POST   /project/{vcs-type}/{org_name}/{project}/{build_num}/retry 200',
    'POST   /project/{vcs-type}/{org_name}/{project}/{build_num}/ssh 200',
    `POST   ${P}/{build_num}/cancel 200`,
    `POST   ${P}/{build_num}/ssh-users 200`,
    `POST   ${P} 201`,
    `POST   ${P}/tree/{branch} 201`,
    `POST   ${P}/build 200`,
    `GET    ${P}/checkout-key 200`,
    `GET    ${P}/checkout-key/{fingerprint} 200`,
    `POST   ${P}/checkout-key 201`,
    `DELETE ${P}/checkout-key/{fingerprint} 200`,
    `POST   ${P}/ssh-key 200`,
    `DELETE ${P}/ssh-key 200`,
    'POST   /user/hosting-key 200',
    `GET    ${P}/envvar 200`,
    `POST   ${P}/envvar 201`,
    `GET    ${P}/envvar/{name} 200`,
    `DELETE ${P}/envvar/{name} 200`,
  ],
  v2: [
    'GET    /context 200',
    'GET    /context/{context-id} 200',
    'DELETE /context/{context-id} 200',
    'GET    /context/{context-id}/environment-variable 200',
    'DELETE /context/{context-id}/environment-variable/{env-var-name} 200',
    'GET    /insights/pages/{project-slug}/summary 200',
    'GET    /insights/time-series/{project-slug}/workflows/{workflow-name}/jobs 200',
    'GET    /insights/{org-slug}/summary 200',
    `GET    ${I}/branches 200`,
    `GET    ${I}/flaky-tests 200`,
    `GET    ${I}/workflows 200`,
    `GET    ${I}/workflows/{workflow-name} 200`,
    `GET    ${I}/workflows/{workflow-name}/jobs 200`,
    `GET    ${I}/workflows/{workflow-name}/summary 200`,
    `GET    ${I}/workflows/{workflow-name}/test-metrics 200`,
    'GET    /me 200',
    'GET    /me/collaborations 200',
    'GET    /user/{id} 200',
    'GET    /pipeline 200',
    'GET    /pipeline/{pipeline-id} 200',
    'GET    /pipeline/{pipeline-id}/config 200',
    'GET    /pipeline/{pipeline-id}/workflow 200',
    `GET    ${S} 200`,
    `GET    ${S}/pipeline 200`,
    `GET    ${S}/pipeline/mine 200`,
    `GET    ${S}/pipeline/{pipeline-number} 200`,
    `GET    ${S}/job/{job-number} 200`,
    `POST   ${S}/job/{job-number}/cancel 202`,
    `GET    ${S}/{job-number}/artifacts 200`,
    `GET    ${S}/{job-number}/tests 200`,
    'GET    /workflow/{id} 200',
    'POST   /workflow/{id}/approve/{approval_request_id} 202',
    'POST   /workflow/{id}/cancel 202',
    'GET    /workflow/{id}/job 200',
    'GET    /webhook 200',
    'GET    /webhook/{webhook-id} 200',
    'DELETE /webhook/{webhook-id} 200',
    `GET    ${S}/checkout-key 200`,
    `GET    ${S}/checkout-key/{fingerprint} 200`,
    `DELETE ${S}/checkout-key/{fingerprint} 200`,
    `GET    ${S}/envvar 200`,
    `GET    ${S}/envvar/{name} 200`,
    `DELETE ${S}/envvar/{name} 200`,
    `GET    ${S}/schedule 200`,
    'GET    /schedule/{schedule-id} 200',
    'DELETE /schedule/{schedule-id} 200',
    'POST   /context 200',
    'PUT    /context/{context-id}/environment-variable/{env-var-name} 200',
    'POST   /pipeline/continue 200',
    `POST   ${S}/pipeline 201`,
    'POST   /workflow/{id}/rerun 202',
    'POST   /webhook 201',
    'PUT    /webhook/{webhook-id} 200',
    `POST   ${S}/checkout-key 201`,
    `POST   ${S}/envvar 201`,
    `POST   ${S}/schedule 201`,
    'PATCH  /schedule/{schedule-id} 200',
  ],
}

/** What the interface does not have and clients use all the same, or the service offers beside it. */
const neighbours: Readonly<Record<'v1' | 'v2', readonly string[]>> = {
  v1: [
    `POST   ${P}/unfollow 200`,
    `GET    ${P}/settings 200`,
    `PUT    ${P}/settings 200`,
    `POST   ${P}/enable 200`,
    `DELETE ${P}/enable 200`,
    `DELETE ${P}/build-cache 200`,
    `GET    ${P}/token 200`,
    `POST   ${P}/token 201`,
    `DELETE ${P}/token/{token} 200`,
    'GET    /user/token 200',
    'POST   /user/token 201',
    'DELETE /user/token/{token} 200',
    'POST   /user/follow-projects 200',
    'GET    /user/organizations 200',
    'GET    /user/repos/{vcs-type} 200',
    'GET    /organization/{vcs-type}/{org_name} 200',
    'GET    /organization/{vcs-type}/{org_name}/settings 200',
    `GET    ${P}/{build_num}/output/{step}/{index} 200`,
    `GET    ${P}/{build_num}/artifacts/{node}/* 302`,
    `GET    ${P}/latest/artifacts/{node}/* 302`,
  ],
  v2: [
    'GET    /openapi.json 200',
    'POST   /compile-config-with-defaults 200',
    'GET    /context/{context-id}/restrictions 200',
    'POST   /context/{context-id}/restrictions 201',
    'DELETE /context/{context-id}/restrictions/{restriction-id} 200',
    `GET    ${S}/settings 200`,
    `PATCH  ${S}/settings 200`,
    `POST   ${S}/pipeline/run 201`,
    'GET    /pipeline/{pipeline-id}/values 200',
    'POST   /jobs/{job-id}/cancel 200',
    'POST   /organization 200',
    'GET    /organization/{org-slug-or-id} 200',
    'DELETE /organization/{org-slug-or-id} 200',
    'POST   /organization/{org-slug-or-id}/project 200',
    `DELETE ${S} 200`,
    'GET    /projects/{project-id}/pipeline-definitions 200',
    'POST   /projects/{project-id}/pipeline-definitions 201',
    'GET    /projects/{project-id}/pipeline-definitions/{definition-id} 200',
    'PATCH  /projects/{project-id}/pipeline-definitions/{definition-id} 200',
    'DELETE /projects/{project-id}/pipeline-definitions/{definition-id} 200',
    'GET    /projects/{project-id}/pipeline-definitions/{definition-id}/triggers 200',
    'POST   /projects/{project-id}/pipeline-definitions/{definition-id}/triggers 201',
    'GET    /projects/{project-id}/triggers/{trigger-id} 200',
    'PATCH  /projects/{project-id}/triggers/{trigger-id} 200',
    'DELETE /projects/{project-id}/triggers/{trigger-id} 200',
    'GET    /org/{org-id}/oidc-custom-claims 200',
    'PATCH  /org/{org-id}/oidc-custom-claims 200',
    'DELETE /org/{org-id}/oidc-custom-claims 200',
    'GET    /org/{org-id}/project/{project-id}/oidc-custom-claims 200',
    'PATCH  /org/{org-id}/project/{project-id}/oidc-custom-claims 200',
    'DELETE /org/{org-id}/project/{project-id}/oidc-custom-claims 200',
    'GET    /organization/{organization}/url-orb-allow-list 200',
    'POST   /organization/{organization}/url-orb-allow-list 201',
    'DELETE /organization/{organization}/url-orb-allow-list/{entry-id} 200',
    'POST   /organizations/{org-id}/usage_export_job 201',
    'GET    /organizations/{org-id}/usage_export_job/{usage-export-job-id} 200',
    'GET    /me/followed-projects 200',
    'GET    /output/raw/{provider}/{org}/{repo}/{job-number}/{stream}/{index}/{step} 200',
    'POST   /graphql-unstable 200',
    'GET    /insights/{provider}/{org}/{repo}/workflows/{workflow-name}/jobs/{job-name} 200',
    'GET    /runner 200',
    'GET    /runner/resource 200',
    'POST   /runner/resource 200',
    'DELETE /runner/resource/{id} 200',
    'DELETE /runner/resource/{id}/force 200',
    'GET    /runner/token 200',
    'POST   /runner/token 200',
    'DELETE /runner/token/{id} 200',
    'GET    /runner/tasks 200',
    'GET    /runner/tasks/running 200',
  ],
}

/** `POST /workflow/{}/rerun 202`: what two ways of writing an operation have in common. */
function plain(method: string, path: string, status: number | string): string {
  const anonymous = path
    .replace('{project-slug}', '{}/{}/{}')
    .replace('{org-slug}', '{}/{}')
    .replace(/\{[\w-]+\}|:\w+|\*/g, '{}')
  return `${method} ${anonymous} ${status}`
}

const written = (line: string) => {
  const [method = '', path = '', status = ''] = line.split(/ +/)
  return plain(method, path, status)
}

const declared = ({ endpoint: { method, path, status } }: Operation) => plain(method, path, status)
const of = (generation: Generation) => catalog.filter((operation) => operation.generation === generation)

describe('the contract', () => {
  for (const generation of ['v1', 'v2'] as const) {
    test(`declares every operation of the interface, with its code, and nothing unheard of (${generation})`, () => {
      const wanted = [...tables[generation], ...neighbours[generation]].map(written)
      assert.deepEqual(of(generation).map(declared).toSorted(), wanted.toSorted())
    })
  }

  test('declares no operation twice', () => {
    const places = catalog.map(({ prefix, endpoint: { method, path } }) => plain(method, prefix + path, ''))
    assert.deepEqual(
      places.filter((place, i) => places.indexOf(place) !== i),
      [],
    )
  })

  test('gives each operation of a generation its own name', () => {
    const names = catalog.map(({ generation, operation }) => `${generation} ${operation}`)
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    )
  })

  test('lists every endpoint of every module', async () => {
    const files = globSync('src/contract/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
    const modules = await Promise.all(files.map((file): Promise<object> => import(resolve(file))))
    const endpoints = modules.flatMap((module): unknown[] => Object.values(module)).filter(isEndpoint)
    const listed = new Set<unknown>(catalog.map(({ endpoint }) => endpoint))
    assert.deepEqual(
      endpoints.filter((endpoint) => !listed.has(endpoint)),
      [],
    )
    assert.equal(new Set(endpoints).size, catalog.length)
  })

  test('declares the parameters that its paths name', () => {
    for (const { endpoint } of catalog) {
      const named = [...endpoint.path.matchAll(/:(\w+)|(\*)/g)].map(([, name, rest = '']) => name ?? rest)
      assert.deepEqual(
        Object.keys(endpoint.schema.params?.properties ?? {}).toSorted(),
        named.toSorted(),
        endpoint.path,
      )
    }
  })

  for (const [order, operations] of [
    ['as listed', catalog],
    ['in reverse', catalog.toReversed()],
  ] as const) {
    test(`can be mounted ${order}: each operation is reached by its own path`, async (t) => {
      const app = Fastify()
      t.after(() => app.close())
      for (const operation of operations) mount(app, operation)
      for (const { prefix, endpoint, generation, operation } of operations) {
        const url = prefix + endpoint.path.replace(/:\w+/g, 'x').replace('*', 'feature/one')
        const { body } = await app.inject({ method: endpoint.method, url })
        assert.equal(body, `${generation} ${operation}`)
      }
    })
  }

  test('can be served: answers lose nothing on the wire, without nulls and with them', async (t) => {
    const app = Fastify()
    t.after(() => app.close())
    // One server for both, as most of the time goes into what writes the answers.
    const answers = catalog
      .filter(({ endpoint }) => endpoint.form === 'json')
      .map((operation) => {
        const { method, path, status, schema } = operation.endpoint
        const samples = { without: sampleOf(schema.response, false), with: sampleOf(schema.response, true) }
        const url = operation.prefix + path
        const handler: RouteHandlerMethod = ({ headers }, reply) => {
          const answer = headers['nulls'] === 'with' ? samples.with : samples.without
          // Serialized by hand: a bare string, as the empty answer of 1.1 is, would be sent as it is.
          return reply.code(status).send(reply.serialize(answer))
        }
        app.route({ method, url, schema: { response: { [status]: schema.response } }, handler })
        return { method, url: url.replace(/:\w+|\*/g, 'x'), samples }
      })
    for (const nulls of ['without', 'with'] as const) {
      for (const { method, url, samples } of answers) {
        const { body } = await app.inject({ method, url, headers: { nulls } })
        assert.deepEqual(JSON.parse(body), samples[nulls], `${url} ${nulls} nulls`)
      }
    }
  })

  test('can be asked: every schema of a request compiles', async (t) => {
    const app = Fastify()
    t.after(() => app.close())
    for (const { prefix, endpoint } of catalog) {
      const { params, query, body } = endpoint.schema
      const schema = { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }) }
      app.route({ method: endpoint.method, url: prefix + endpoint.path, schema, handler: () => '' })
    }
    await assert.doesNotReject(async () => app.ready())
  })
})

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

const scalars: Readonly<Record<string, unknown>> = { string: 'text', integer: 7, number: 0.5, boolean: true }
const formats: Readonly<Record<string, string>> = {
  uuid: '0f0e6b0a-8f6c-4b7e-9d0c-1a2b3c4d5e6f',
  'date-time': '2030-01-01T12:00:00.000Z',
}

/** An answer with every member that its schema knows; `empty` takes null where it is allowed. */
function sampleOf(declared: unknown, empty: boolean): unknown {
  const schema = declared as Schema
  const sample = (part: Schema | undefined) => sampleOf(part ?? {}, empty)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sample(empty ? schema.anyOf.at(-1) : schema.anyOf[0])
  if (schema.type === 'array') return [sample(schema.items), sample(schema.items)]
  if (schema.patternProperties) return { key: sample(Object.values(schema.patternProperties)[0]) }
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, member]) => [name, sample(member)]))
  }
  return (
    formats[schema.format ?? ''] ??
    scalars[schema.type ?? ''] ??
    (schema.type === 'null' ? null : { any: ['thing', 1, null] })
  )
}

/** Answers with the name of the operation, whatever the request holds. */
function mount(app: ReturnType<typeof Fastify>, { prefix, endpoint, generation, operation }: Operation): void {
  app.route({ method: endpoint.method, url: prefix + endpoint.path, handler: () => `${generation} ${operation}` })
}

const isEndpoint = (value: unknown): value is Operation['endpoint'] =>
  typeof value === 'object' && value !== null && 'access' in value && 'schema' in value
