import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, messageOf, type Question, valueOf } from './ask.ts'
import { newPerson, type Person } from './people.ts'
import { openService, type Service } from './service.ts'
import { deviations, type Shape } from './shape.ts'
import * as shapes from './v1-shapes.ts'

/*
 * Every row of the table of generation 1.1 (§4.1), asked of a service that has really run a build: method, path,
 * code, and the shape of the answer member by member.
 */

const config = `version: 2
jobs:
  build:
    machine: true
    parallelism: 2
    steps:
      - checkout
      - run: mkdir -p results out && echo page > out/page.html
      - run: echo '<testsuite name="s"><testcase classname="c" name="t" time="0.5"/></testsuite>' > results/r.xml
      - store_test_results: {path: results}
      - store_artifacts: {path: out}
`
const P = '/project/github/acme/web'
const json = { accept: 'application/json', 'content-type': 'application/json' }
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
})

interface Row {
  readonly row: string
  readonly body?: object
  readonly status?: number
  readonly shape: Shape
  /** What must hold of the value beside its shape. */
  readonly also?: (value: never, answer: Answer) => void
}

type Build = Readonly<Record<string, unknown>>
const numbers = (builds: readonly Build[]) => builds.map(({ build_num }) => build_num as number)
const descending = (builds: readonly Build[]) => {
  assert.ok(builds.length > 0)
  assert.deepEqual(
    numbers(builds),
    numbers(builds).toSorted((a, b) => b - a),
  )
}
const located = (_: unknown, { headers }: Answer) => assert.match(headers.location ?? '', /\/api\/v1\.1\/project\//)

describe('every row of the table of generation 1.1', () => {
  let service: Service
  let ada: Person
  let revision: string
  before(async () => {
    service = await openService({ agentSlots: 2 })
    ada = await newPerson(service.world, 'ada')
    revision = await service.push(
      'acme/web',
      { '.circleci/config.yml': config },
      ['main', 'feature/x', 'tags/v1'],
      ada.token,
    )
    await service.until(async () => {
      const builds = valueOf(await ask(`GET ${P}`)) as readonly Build[]
      return builds.length >= 2 && builds.every(({ lifecycle }) => lifecycle === 'finished') ? true : undefined
    }, 120_000)
  })
  after(() => service[Symbol.asyncDispose]())

  const ask = (row: string, body?: object, more: Partial<Question> = {}): Promise<Answer> => {
    const [method = '', path = ''] = row.split(' ')
    const sent = body && { body: JSON.stringify(body) }
    return service.ask({ method, path: `/api/v1.1${path}`, token: ada.token, headers: json, ...sent, ...more })
  }
  const check = async ({ row, body, status = 200, shape, also }: Row) => {
    const answer = await ask(row, body)
    assert.equal(answer.status, status, answer.text)
    const value = valueOf(answer)
    assert.deepEqual(deviations(value, shape), [])
    also?.(value as never, answer)
    return value
  }

  const reading: readonly Row[] = [
    { row: 'GET /me', shape: shapes.user },
    { row: 'GET /projects', shape: [shapes.followedProject] },
    { row: 'GET /recent-builds', shape: [shapes.summary], also: descending },
    {
      row: 'GET /recent-builds?limit=1&offset=1&shallow=true',
      shape: [shapes.shallow],
      also: (builds: readonly Build[]) => assert.deepEqual([builds.length, 'steps' in (builds[0] ?? {})], [1, false]),
    },
    { row: `GET ${P}`, shape: [shapes.summary], also: descending },
    { row: `GET ${P}?limit=1&offset=0&filter=completed&shallow=true`, shape: [shapes.shallow], also: descending },
    { row: `GET ${P}?filter=successful`, shape: [shapes.summary], also: descending },
    {
      row: `GET ${P}?filter=failed`,
      shape: [shapes.summary],
      also: (builds: readonly Build[]) => assert.deepEqual(builds, []),
    },
    {
      row: `GET ${P}?filter=running`,
      shape: [shapes.summary],
      also: (builds: readonly Build[]) => assert.deepEqual(builds, []),
    },
    {
      row: `GET ${P}/tree/feature%2Fx`,
      shape: [shapes.summary],
      also: (builds: readonly Build[]) =>
        assert.deepEqual([...new Set(builds.map((one) => one['branch']))], ['feature/x']),
    },
    {
      row: `GET ${P}/1`,
      shape: shapes.full,
      also: ({ parallel, steps }: { parallel: number; steps: readonly { actions: readonly object[] }[] }) =>
        assert.deepEqual([parallel, Math.max(...steps.map(({ actions }) => actions.length))], [2, 2]),
    },
    {
      row: `GET ${P}/1/artifacts`,
      shape: [shapes.artifact],
      also: (found: readonly Build[]) =>
        assert.deepEqual(
          found.map(({ path, pretty_path, node_index }) => [path, pretty_path, node_index]).toSorted(),
          [0, 1].map((node) => ['out/page.html', 'out/page.html', node]),
        ),
    },
    {
      row: `GET ${P}/latest/artifacts?branch=main&filter=successful`,
      shape: [shapes.artifact],
      also: (found: readonly Build[]) => assert.equal(found.length, 2),
    },
    {
      row: `GET ${P}/1/tests`,
      shape: shapes.tests,
      also: ({ tests }: { tests: readonly Build[] }) =>
        assert.deepEqual(
          tests.map(({ name, classname, result, run_time }) => [name, classname, result, run_time]),
          [1, 2].map(() => ['t', 'c', 'success', 0.5]),
        ),
    },
  ]
  for (const row of reading) test(row.row, async () => void (await check(row)))

  test('the branches of a followed project have all that is recorded of them', async () => {
    const [project] = (await check({ row: 'GET /projects', shape: [shapes.followedProject] })) as readonly {
      readonly branches: Readonly<Record<string, unknown>>
    }[]
    assert.deepEqual(Object.keys(project?.branches ?? {}).toSorted(), ['feature%2Fx', 'main'])
    for (const branch of Object.values(project?.branches ?? {})) assert.deepEqual(deviations(branch, shapes.branch), [])
  })

  test('an artifact is downloaded from its address, with a token in any form', async () => {
    const [first] = valueOf(await ask(`GET ${P}/1/artifacts`)) as readonly { readonly url: string }[]
    const { pathname } = new URL(first?.url ?? '')
    const basic = { authorization: `Basic ${Buffer.from(`${ada.token}:`).toString('base64')}` }
    for (const more of [{ token: ada.token }, { headers: basic }, { path: `${pathname}?circle-token=${ada.token}` }]) {
      const { status, text } = await service.ask({ method: 'GET', path: pathname, ...more })
      assert.deepEqual([status, text], [200, 'page\n'])
    }
    assert.equal((await service.ask({ method: 'GET', path: pathname })).status, 401)
  })

  const words = (lifecycle: string, status: string, why: string) => (build: Build) =>
    assert.deepEqual(
      [build['lifecycle'], build['status'], build['outcome'], build['why']],
      [lifecycle, status, null, why],
    )

  const writing: readonly Row[] = [
    {
      row: `POST ${P}/follow`,
      shape: { followed: 'boolean', first_build: 'null|map' },
      also: (told: Build) => assert.equal(told['followed'], true),
    },
    {
      row: `POST ${P}/1/retry`,
      shape: shapes.summary,
      also: (build: Build) => {
        words('queued', 'queued', 'retry')(build)
        assert.equal(build['retry_of'], 1)
      },
    },
    {
      row: `POST ${P}/1/ssh`,
      shape: shapes.summary,
      also: (build: Build) => {
        words('queued', 'queued', 'ssh')(build)
        assert.deepEqual([build['ssh_enabled'], (build['ssh_users'] as unknown[]).length], [true, 1])
      },
    },
    { row: `POST ${P}/1/ssh-users`, shape: shapes.summary },
    {
      row: `POST ${P}`,
      body: { build_parameters: { A: 1 }, parallel: null, tag: null },
      status: 201,
      shape: shapes.summary,
      also: (build: Build, answer) => {
        words('not_running', 'not_running', 'api')(build)
        located(build, answer)
      },
    },
    {
      row: `POST ${P}`,
      body: { tag: 'v1' },
      status: 201,
      shape: shapes.summary,
      also: (build: Build) => assert.deepEqual([build['vcs_tag'], build['branch']], ['v1', null]),
    },
    { row: `POST ${P}/tree/feature%2Fx`, body: {}, status: 201, shape: shapes.summary, also: located },
    { row: `POST ${P}/build`, body: { branch: 'main' }, shape: { status: '200|integer', body: 'string' } },
    { row: `POST ${P}/build?branch=main`, shape: { status: 'integer', body: 'string' } },
    { row: `POST ${P}/checkout-key`, body: { type: 'deploy-key' }, status: 201, shape: shapes.checkoutKey },
    { row: `GET ${P}/checkout-key`, shape: [shapes.checkoutKey] },
    { row: `POST ${P}/ssh-key`, body: { hostname: 'example.com', private_key: privateKey }, shape: 'string' },
    { row: 'POST /user/hosting-key', body: { apikey: 'a long secret' }, shape: 'string' },
    {
      row: `POST ${P}/envvar`,
      body: { name: 'SECRET', value: 'a long secret' },
      status: 201,
      shape: shapes.variable,
      also: ({ value }: { value: string }, answer) => {
        assert.equal(value, 'xxxxcret')
        assert.match(answer.headers.location ?? '', /\/envvar\/SECRET$/)
      },
    },
    { row: `GET ${P}/envvar`, shape: [shapes.variable] },
    { row: `GET ${P}/envvar/SECRET`, shape: shapes.variable },
    { row: `DELETE ${P}/envvar/SECRET`, shape: shapes.message },
  ]
  // What is begun from here on must still wait when it is answered.
  test('whoever ran the builds goes', () => service.dismissAgent())

  for (const row of writing)
    test(`${row.row}${row.body ? ` with ${Object.keys(row.body).join(', ') || 'nothing'}` : ''}`, async () => {
      const made = (await check(row)) as Build
      // What was begun is ended, so that the machine does nothing but the next row.
      const number = made['retry_of'] === undefined ? undefined : (made['build_num'] as number)
      if (number !== undefined && number !== 1)
        await check({ row: `POST ${P}/${number}/cancel`, shape: shapes.summary })
    })

  test('POST P/{build_num}/cancel', async () => {
    const { build_num } = valueOf(await ask(`POST ${P}`, { revision })) as { readonly build_num: number }
    const canceled = (await check({ row: `POST ${P}/${build_num}/cancel`, shape: shapes.summary })) as Build
    assert.deepEqual([canceled['status'], canceled['outcome'], canceled['canceled']], ['canceled', 'canceled', true])
    assert.equal((canceled['canceler'] as { readonly login: string }).login, 'ada')
    const again = valueOf(await ask(`POST ${P}/${build_num}/cancel`)) as Build
    // The build before runs on, and its time with it.
    const { previous } = canceled
    assert.deepEqual({ ...again, previous }, canceled)
  })

  test('a checkout key and an SSH key are read, shown and deleted by their fingerprints', async () => {
    const [key] = valueOf(await ask(`GET ${P}/checkout-key`)) as readonly { readonly fingerprint: string }[]
    const path = `${P}/checkout-key/${key?.fingerprint}`
    assert.deepEqual(await check({ row: `GET ${path}`, shape: shapes.checkoutKey }), key)
    assert.deepEqual(await check({ row: `DELETE ${path}`, shape: shapes.message }), { message: 'ok' })
    assert.equal((await ask(`GET ${path}`)).status, 404)
    const shown = async () =>
      (valueOf(await ask('GET /projects')) as readonly { readonly ssh_keys: readonly Build[] }[])[0]?.ssh_keys
    const [ssh] = (await shown()) ?? []
    assert.equal(ssh?.['hostname'], 'example.com')
    assert.doesNotMatch(JSON.stringify(ssh), /PRIVATE/)
    await check({
      row: `DELETE ${P}/ssh-key`,
      body: { hostname: 'example.com', fingerprint: ssh?.['fingerprint'] },
      shape: 'string',
    })
    assert.deepEqual(await shown(), [])
    const { hosting_api_key } = valueOf(await ask('GET /me')) as Build
    assert.equal(hosting_api_key, 'xxxxcret')
  })

  test('what is wrong in a row is told, and changes nothing', async () => {
    const kept = async () => {
      const tables = ['jobs', 'pipelines', 'variables', 'checkout_keys', 'ssh_keys', 'follows'] as const
      const counts = tables.map((table) => service.world.db.selectFrom(table).selectAll().execute())
      return (await Promise.all(counts)).map(({ length }) => length)
    }
    const before = await kept()
    const wrong: readonly (readonly [string, object | undefined, number])[] = [
      ['GET /recent-builds?limit=-1', undefined, 400],
      ['GET /recent-builds?limit=1.5', undefined, 400],
      ['GET /recent-builds?limit=1&limit=2', undefined, 400],
      ['GET /recent-builds?offset=x', undefined, 400],
      [`GET ${P}?offset=-5`, undefined, 400],
      [`GET ${P}/tree/main?limit=x`, undefined, 400],
      [`GET ${P}/0`, undefined, 400],
      [`GET ${P}/1.5`, undefined, 400],
      [`GET ${P}/99999999999`, undefined, 404],
      [`GET ${P}/x/artifacts`, undefined, 400],
      [`GET ${P}/999/artifacts`, undefined, 404],
      [`GET ${P}/999/tests`, undefined, 404],
      ['GET /project/github/acme/none', undefined, 404],
      ['GET /project/github/acme/none/latest/artifacts', undefined, 404],
      ['GET /project/nowhere/acme/web', undefined, 404],
      ['POST /project/github/acme/none/follow', undefined, 404],
      [`POST ${P}/999/retry`, undefined, 404],
      [`POST ${P}/1/retry`, { 'no-cache': 'yes' }, 400],
      [`POST ${P}/999/ssh-users`, undefined, 404],
      [`POST ${P}`, { tag: 'v1', revision }, 400],
      [`POST ${P}`, { tag: 7 }, 400],
      [`POST ${P}`, { revision: '../x' }, 400],
      [`POST ${P}`, { build_parameters: 'A=1' }, 400],
      [`POST ${P}`, { config: 'version: 2\njobs: {}' }, 400],
      [`POST ${P}/tree/none`, {}, 400],
      [`POST ${P}/build`, { tag: 'v1', branch: 'main' }, 400],
      [`POST ${P}/build`, { tag: 'none' }, 400],
      [`POST ${P}/build`, { branch: ['main'] }, 400],
      [`POST ${P}/checkout-key`, { type: 'other' }, 400],
      [`POST ${P}/checkout-key`, {}, 400],
      [`GET ${P}/checkout-key/none`, undefined, 404],
      [`DELETE ${P}/checkout-key/none`, undefined, 404],
      [`POST ${P}/ssh-key`, { hostname: 'example.com', private_key: 'none' }, 400],
      [`POST ${P}/ssh-key`, { hostname: 'no host', private_key: privateKey }, 400],
      [`POST ${P}/ssh-key`, { hostname: 'example.com' }, 400],
      [`DELETE ${P}/ssh-key`, { hostname: 'example.com' }, 400],
      [`POST ${P}/envvar`, { name: 'NO-NAME', value: 'x' }, 400],
      [`POST ${P}/envvar`, { name: 'NAME' }, 400],
      [`POST ${P}/envvar`, { name: 'NAME', value: 7 }, 400],
      [`GET ${P}/envvar/NONE`, undefined, 404],
      [`DELETE ${P}/envvar/NONE`, undefined, 404],
      ['POST /user/hosting-key', {}, 400],
      ['POST /user/hosting-key', { apikey: 7 }, 400],
      ['GET /nothing', undefined, 404],
      ['PUT /me', undefined, 404],
    ]
    for (const [row, body, status] of wrong) {
      const answer = await ask(row, body)
      assert.equal(answer.status, status, `${row} ${JSON.stringify(body)}: ${answer.text}`)
      assert.deepEqual(Object.keys(valueOf(answer) as object), ['message'], row)
      assert.ok(messageOf(answer).length > 5, row)
    }
    assert.deepEqual(await kept(), before)
  })
})
