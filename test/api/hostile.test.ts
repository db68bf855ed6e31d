import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog, type Operation } from '#contract/catalog.ts'
import { unserved } from '#server/api/server.ts'
import { type Question, send } from './ask.ts'
import { operationsOf, questionOf } from './auth-operations.ts'
import { openFarm } from './farm.ts'
import { edgeOptions, openService } from './service.ts'
import { databases } from '#test/world.ts'
import { tablesOf } from './tables.ts'

const long = 'a'.repeat(10_000)
const texts = [
  '..',
  '../../etc/passwd',
  '--upload-pack=touch /tmp/x',
  'a\nb',
  'a\u0000b',
  '\ud800',
  '💥',
  "' OR 1=1 --",
  '"; drop table users; --',
  '%',
  '%25',
  '*',
  '@{',
  '\\',
  long,
]
const numbers = ['-1', '0', '1.5', '1e3', '9007199254740993', '99999999999999999999', 'NaN', 'Infinity', '0x10']
const ids = [
  '018f0000-0000-7000-8000-00000000000',
  '018f0000-0000-7000-8000-000000000000',
  '{018f0000-0000-7000-8000-000000000000}',
]

/** As they stand in an address: what can be encoded is, and what no encoder would write comes as it is. */
const inPaths = [
  ...texts.map((text) => encodeURIComponent(text.toWellFormed())),
  ...numbers,
  ...ids,
  '..',
  '%2e%2e',
  '%ff%fe',
  '%00',
  '%zz',
  '%',
  '-',
]

/** For parts of addresses that are read by code which operations before have shown to hold: enough to see that it is this code that reads them. */
const inFamiliarPaths = ['..', '%00', '%ff%fe', '%zz', '-', encodeURIComponent("' OR 1=1 --"), long]
/** For those that many operations have: enough to see that nobody forgot to read them. */
const inUsualPaths = ['%00', '%zz', '-']

const inBodies: readonly unknown[] = [
  ...texts,
  ...numbers,
  ...ids,
  '',
  null,
  -1,
  1e300,
  2 ** 53,
  true,
  [],
  {},
  [long],
  { toString: 1 },
]

/** What databases may take differently. */
const inFamiliarBodies: readonly unknown[] = [
  'a\u0000b',
  '\ud800',
  '💥',
  "' OR 1=1 --",
  long,
  '9007199254740993',
  ids[1],
  '',
  null,
  -1,
  2 ** 53,
  1e300,
  [long],
  {},
]

const inUsualBodies: readonly unknown[] = ['a\u0000b', '\ud800', long, null, 2 ** 53, {}]

/** How much is tried of a part: all at first, less when it was met before in other operations. */
type Tier = 'new' | 'familiar' | 'usual'
const pathValues = { new: inPaths, familiar: inFamiliarPaths, usual: inUsualPaths } as const
const bodyValues = { new: inBodies, familiar: inFamiliarBodies, usual: inUsualBodies } as const
/** How often a part is new, and familiar. The other database reads what the first has read: there only the databases themselves can differ. */
const tiers = { sqlite: { new: 2, familiar: 8 }, postgres: { new: 0, familiar: 4 } } as const
/** Their texts are hashed, which is slow on purpose. */
const slow = ['setPassword', 'signInWithPassword']

const membersOf = (schema: unknown): readonly string[] =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

/** The request with one part of it at a time made hostile. */
function* attacks(
  { prefix, endpoint }: Operation,
  asked: Parameters<typeof questionOf>[1],
  usual: Question,
  tierOf: (part: string) => Tier,
): Generator<Question> {
  for (const name of membersOf(endpoint.schema.params)) {
    for (const value of pathValues[tierOf(`:${name}`)]) {
      const path = endpoint.path.replace(/:(\w+)|\*/g, (found: string, key: string | undefined) =>
        (key ?? found) === name ? value : encodeURIComponent(String(asked.params?.[key ?? found])),
      )
      yield { ...usual, path: prefix + path }
    }
  }
  const [path = ''] = usual.path.split('?')
  for (const name of membersOf(endpoint.schema.query)) {
    for (const value of pathValues[tierOf(`?${name}`)]) {
      const others = Object.entries(asked.query ?? {}).filter(([other]) => other !== name)
      yield {
        ...usual,
        path: `${path}?${name}=${value}&${new URLSearchParams(others.map(([key, one]) => [key, String(one)])).toString()}`,
      }
    }
    yield { ...usual, path: `${path}?${name}=1&${name}=2` }
    yield { ...usual, path: `${path}?${name}[]=1` }
  }
  for (const name of membersOf(endpoint.schema.body)) {
    for (const value of bodyValues[tierOf(`{${name}`)]) {
      yield {
        ...usual,
        headers: { ...usual.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ ...(asked.body as object), [name]: value }),
      }
    }
  }
}

for (const database of databases)
  test(`nothing that anybody writes into a path, a query or a body breaks the service or what it keeps in ${database}`, async (t) => {
    await using service = await openService({ terms: { holdMs: 20 }, database })
    const farm = await openFarm(service)
    await service.rest()
    const table = operationsOf(farm)
    const missing = unserved(service.app, edgeOptions)
    const served = catalog.filter(
      ({ prefix, endpoint }) => !missing.includes(`${endpoint.method} ${prefix}${endpoint.path}`),
    )
    const tokens: Readonly<Record<string, string>> = {
      agent: farm.agent,
      job: farm.job.token,
      admin: service.admin.token,
    }
    const times = new Map<string, number>()
    const tierOf = (part: string): Tier => {
      const time = (times.get(part) ?? 0) + 1
      times.set(part, time)
      const { new: fresh, familiar } = tiers[database]
      if (time <= fresh) return 'new'
      return time <= familiar ? 'familiar' : 'usual'
    }
    const inOrder = served.toSorted((a, b) => Number(a.operation === 'finishJob') - Number(b.operation === 'finishJob'))
    for (const operation of inOrder) {
      const { params, query, body } = operation.endpoint.schema
      if (!params && !query && !body) continue
      const name = `${operation.generation} ${operation.operation}`
      await t.test(name, async () => {
        const asked = table[name]
        assert.ok(asked)
        const tier = slow.includes(operation.operation) ? () => 'usual' as const : tierOf
        const usual = { ...questionOf(operation, asked), token: tokens[asked.need] ?? farm.ada.token }
        let before = await tablesOf(service.world)
        if (operation.endpoint.method === 'GET') {
          const questions = attacks(operation, asked, usual, tier)
          const askOn = async () => {
            for (const question of questions) await service.ask(question)
          }
          await Promise.all(Array.from({ length: 4 }, askOn))
          assert.deepEqual(await tablesOf(service.world), before)
          return
        }
        for (const question of attacks(operation, asked, usual, tier)) {
          const { status } = await service.ask(question)
          const now = await tablesOf(service.world)
          // A build that cannot be made leaves its pipeline behind, which says why.
          const kept = operation.operation.startsWith('trigger') ? { ...now, pipelines: before['pipelines'] } : now
          if (status >= 400) assert.deepEqual(kept, before, `${question.path} ${String(question.body).slice(0, 200)}`)
          before = now
        }
      })
    }
  })

test('a token in a query may be anything', async () => {
  await using service = await openService()
  for (const name of ['circle-token', 'service-token']) {
    for (const value of inPaths) {
      assert.equal((await service.ask({ method: 'GET', path: `/api/v2/me?${name}=${value}` })).status, 401, value)
    }
    assert.equal((await service.ask({ method: 'GET', path: `/api/v2/me?${name}=1&${name}=2` })).status, 401)
    assert.equal(
      (await service.ask({ method: 'GET', path: `/api/v2/me?${name}=`, token: service.admin.token })).status,
      200,
    )
  }
})

test('an address that is none of ours is answered as errors are', async () => {
  await using service = await openService()
  const missing = [
    '/api',
    '/api/v2',
    '/api/v2/none',
    '/api/v3/me',
    '/api/v1.1/project',
    '/git/a',
    '/api/v2/project/a',
    '/api/v2/%',
    '/api/v2/me/..%2f',
  ]
  for (const path of missing) {
    const { status } = await service.ask({ method: 'GET', path, token: service.admin.token })
    assert.ok(status === 404 || status === 400, `${path} answered ${status}`)
  }
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status } = await send(service.connections, service.base, {
      method,
      path: '/api/v2/me',
      token: service.admin.token,
    })
    assert.equal(status, 404, method)
  }
})
