import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BuildSummary } from '#contract/v1/build.ts'
import { type Answer, messageOf, type Question, valueOf } from './ask.ts'
import { newPerson, newProjectToken, type Person } from './people.ts'
import { openService, type Service } from './service.ts'

/*
 * The forms in which existing clients ask: what each sends is written down here as it goes over the wire.
 */

const job = (name: string) => `  ${name}:\n    machine: true\n    steps:\n      - run: echo ${name}\n`
const config = `version: 2\njobs:\n${job('build')}${job('test')}`
const json = { accept: 'application/json', 'content-type': 'application/json' }

describe('a client of generation 1.1', () => {
  let service: Service
  let ada: Person
  let revision: string
  let id: string
  before(async () => {
    service = await openService()
    ada = await newPerson(service.world, 'ada')
    revision = await service.push(
      'acme/web',
      { 'circle.yml': '', '.circleci/config.yml': config },
      ['main', 'feature/x'],
      ada.token,
    )
    id = (await service.world.db.selectFrom('projects').select('id').executeTakeFirstOrThrow()).id
  })
  after(() => service[Symbol.asyncDispose]())

  const basic = (token: string) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const ask = (method: string, path: string, more: Partial<Question> = {}): Promise<Answer> =>
    service.ask({ method, path, ...more })
  const buildOf = (answer: Answer) => valueOf(answer) as BuildSummary

  test('reads with the token in the query, whichever way it names the project', async () => {
    for (const path of [
      '/api/v1.1/project/github/acme/web',
      '/api/v1.1/project/gh/acme/web',
      '/api/v1/project/acme/web',
      '/api/v1/project/acme/web/tree/main',
      '/api/v1.1/project/github/acme/web/tree/feature%2Fx',
      '/api/v1.1/project/github/acme/web/tree/feature/x',
      '/api/v1.1/recent-builds',
      '/api/v1/recent-builds',
      '/api/v1.1/projects',
      '/api/v1/projects',
      '/api/v1.1/me',
    ]) {
      const answer = await ask('GET', `${path}?limit=1&offset=0&filter=completed&circle-token=${ada.token}`, {
        headers: json,
      })
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      assert.equal(
        (await ask('GET', path, { headers: { accept: '*/*', authorization: basic(ada.token) } })).status,
        200,
      )
    }
  })

  test('triggers with a JSON body, a form, an empty body of any type, and no body at all', async () => {
    const path = '/api/v1.1/project/github/acme/web/tree/main'
    const form = { 'content-type': 'application/x-www-form-urlencoded', accept: '*/*' }
    const forms: readonly (readonly [string, Partial<Question>, object])[] = [
      ['JSON', { headers: json, body: '{"build_parameters":{"A":"1"}}' }, { A: '1' }],
      [
        'JSON with nulls',
        { headers: json, body: '{"revision":null,"parallel":null,"build_parameters":{"A":true}}' },
        { A: 'true' },
      ],
      ['JSON with empty texts', { headers: json, body: '{"revision":"","job":"","parallel":"2"}' }, {}],
      ['a form', { headers: form, body: `build_parameters[A]=b%20c&revision=${revision}` }, { A: 'b c' }],
      ['a form with an encoded name', { headers: form, body: 'build_parameters%5BA%5D=1&parallel=4' }, { A: '1' }],
      ['an empty form', { headers: form, body: '' }, {}],
      ['JSON without a type', { headers: { accept: '*/*' }, body: '{"build_parameters":{"A":"2"}}' }, { A: '2' }],
      ['JSON and nothing in it', { headers: json, body: '' }, {}],
      ['null', { headers: json, body: 'null' }, {}],
      ['nothing', { headers: { accept: 'application/json' } }, {}],
    ]
    for (const [form, question, parameters] of forms) {
      const answer = await ask('POST', `${path}?circle-token=${ada.token}`, question)
      assert.equal(answer.status, 201, `${form}: ${answer.text}`)
      const { build_parameters, branch, lifecycle, outcome } = buildOf(answer)
      assert.deepEqual([build_parameters, branch, lifecycle, outcome], [parameters, 'main', 'not_running', null], form)
      assert.match(answer.headers.location ?? '', /\/api\/v1\.1\/project\/provider-a\/acme\/web\/\d+$/)
    }
  })

  test('names the job in the parameters of the build, as scripts do', async () => {
    const answer = await ask('POST', '/api/v1.1/project/github/acme/web/tree/main', {
      headers: { authorization: basic(ada.token), 'content-type': 'application/x-www-form-urlencoded', accept: '*/*' },
      body: `build_parameters[CIRCLE_JOB]=test&revision=${revision}`,
    })
    const { job_name, build_parameters, vcs_revision } = buildOf(answer)
    assert.deepEqual([job_name, build_parameters, vcs_revision], ['test', { CIRCLE_JOB: 'test' }, revision])
  })

  test('retries and cancels with whatever it puts into the body', async () => {
    const path = '/api/v1.1/project/github/acme/web/1'
    for (const more of [{ headers: json, body: '{}' }, { headers: json, body: '' }, { headers: { accept: '*/*' } }]) {
      const again = await ask('POST', `${path}/retry`, { token: ada.token, ...more })
      assert.deepEqual([again.status, buildOf(again).retry_of, buildOf(again).status], [200, 1, 'queued'], again.text)
      const { build_num } = buildOf(again)
      const stopped = await ask('POST', `/api/v1.1/project/gh/acme/web/${build_num}/cancel`, {
        token: ada.token,
        ...more,
      })
      assert.deepEqual([stopped.status, buildOf(stopped).status, buildOf(stopped).canceled], [200, 'canceled', true])
    }
  })

  test('with a token of the project sees and triggers what its scope allows, and is no user', async () => {
    const path = '/api/v1.1/project/github/acme/web'
    const [view, all, status] = await Promise.all(
      ['view-builds', 'all', 'status'].map((scope) => newProjectToken(service.world, id, scope)),
    )
    const codes = async (token = '') => [
      (await ask('GET', `${path}?circle-token=${token}`)).status,
      (await ask('GET', `${path}/1?circle-token=${token}`)).status,
      (await ask('POST', `${path}?circle-token=${token}`)).status,
      (await ask('GET', `${path}/envvar?circle-token=${token}`)).status,
      (await ask('GET', `/api/v1.1/me?circle-token=${token}`)).status,
      (await ask('POST', `${path}/build?circle-token=${token}`)).status,
    ]
    assert.deepEqual(await codes(view), [200, 200, 403, 403, 403, 403])
    assert.deepEqual(await codes(all), [200, 200, 201, 200, 403, 403])
    assert.deepEqual(await codes(status), [403, 403, 403, 403, 403, 403])
    assert.deepEqual(await codes(''), [401, 401, 401, 401, 401, 401])
  })

  test('without a token reads a public project, and finds nothing where it may not look', async () => {
    const path = '/api/v1.1/project/github/acme/web'
    const sam = await newPerson(service.world, 'sam')
    for (const suffix of ['', '/1', '/tree/main'])
      assert.equal((await ask('GET', path + suffix, { token: sam.token })).status, 404)
    const open = { feature_flags: { oss: true } }
    await ask('PUT', `${path}/settings`, { token: ada.token, headers: json, body: JSON.stringify(open) })
    for (const suffix of ['', '/1', '/tree/main?limit=1'])
      assert.equal((await ask('GET', path + suffix)).status, 200, suffix)
    const [build] = valueOf(await ask('GET', `${path}?limit=1`, { headers: json })) as BuildSummary[]
    assert.equal(build?.oss, true)
    assert.equal((await ask('POST', path)).status, 401)
    assert.equal((await ask('POST', path, { token: sam.token })).status, 403)
    assert.equal((await ask('GET', `${path}/envvar`)).status, 401)
    const closed = { feature_flags: { oss: false } }
    await ask('PUT', `${path}/settings`, { token: ada.token, headers: json, body: JSON.stringify(closed) })
  })

  test('is told clearly what was wrong with what it sent, and nothing is changed by it', async () => {
    const path = '/api/v1.1/project/github/acme/web'
    const builds = async () => (await service.world.db.selectFrom('jobs').select('id').execute()).length
    const present = await builds()
    const post = (body: string) => ask('POST', path, { token: ada.token, headers: json, body })
    const wrong: readonly (readonly [Promise<Answer>, RegExp])[] = [
      [post('{"tag":"v1","revision":"abc"}'), /tag/],
      [post('{"tag":"none"}'), /Tag not found/],
      [post('{"revision":"no revision"}'), /revision/],
      [post('{"revision":7}'), /revision/],
      [post('{"build_parameters":{"NO-NAME":"1"}}'), /NO-NAME/],
      [post('{"build_parameters":[1]}'), /build_parameters/],
      [post('{"job":"none"}'), /none/],
      [post('{'), /JSON/],
      [post('[]'), /body/],
      [ask('POST', `${path}/tree/nowhere`, { token: ada.token }), /Branch not found/],
      [ask('GET', `${path}?limit=-1`, { token: ada.token }), /limit/],
      [ask('GET', `${path}?limit=many`, { token: ada.token }), /limit/],
      [ask('GET', `${path}?offset=-1`, { token: ada.token }), /offset/],
      [ask('GET', `${path}/0`, { token: ada.token }), /build_num/],
      [ask('GET', `${path}/no-number`, { token: ada.token }), /build_num/],
    ]
    for (const [answer, reason] of wrong) {
      const told = await answer
      assert.equal(told.status, 400, told.text)
      assert.match(messageOf(told), reason)
    }
    for (const suffix of ['/999999', '/999999/retry', '/999999/cancel'])
      assert.equal(
        (
          await ask(suffix.includes('re') || suffix.includes('ca') ? 'POST' : 'GET', path + suffix, {
            token: ada.token,
          })
        ).status,
        404,
      )
    assert.equal(await builds(), present)
  })

  test('may ask for things that mean nothing: odd filters, odd flags, offsets beyond the end', async () => {
    const path = '/api/v1.1/project/github/acme/web'
    const all = valueOf(await ask('GET', path, { token: ada.token, headers: json }))
    for (const query of [
      'filter=None',
      'filter=',
      'shallow=True',
      'shallow=',
      'limit=&offset=',
      'mine=1&order=up&status=none,',
    ])
      assert.deepEqual(valueOf(await ask('GET', `${path}?${query}`, { token: ada.token, headers: json })), all, query)
    for (const query of ['offset=100000', 'offset=99999999999999', 'limit=0', 'filter=failed&offset=99999999999999'])
      assert.deepEqual(valueOf(await ask('GET', `${path}?${query}`, { token: ada.token, headers: json })), [], query)
  })
})
