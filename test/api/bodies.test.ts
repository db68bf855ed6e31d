import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Answer, Question } from './ask.ts'
import { messageOf, valueOf } from './ask.ts'
import { type Farm, openFarm } from './farm.ts'
import { openService, type Service } from './service.ts'
import { tablesOf } from './tables.ts'

const json = { 'content-type': 'application/json' }
const trigger = { method: 'POST', path: '/api/v2/project/gh/acme/web/pipeline' }

describe('a body', () => {
  let service: Service
  let farm: Farm
  before(async () => {
    service = await openService()
    farm = await openFarm(service)
  })
  after(() => service[Symbol.asyncDispose]())

  const ask = (question: Question): Promise<Answer> => service.ask({ token: farm.ada.token, ...question })
  const statusOf = async (question: Question): Promise<number> => (await ask(question)).status

  /** Refused with that status, a reason, and nothing changed. */
  async function refused(question: Question, status: number, why: RegExp): Promise<void> {
    const tables = await tablesOf(service.world)
    const answer = await ask(question)
    assert.equal(answer.status, status, answer.text)
    assert.match(messageOf(answer), why)
    assert.deepEqual(await tablesOf(service.world), tables)
  }

  test('may be absent, empty, an empty form, or {} without a type, where nothing must be said', async () => {
    const empty: readonly Omit<Question, 'method' | 'path'>[] = [
      {},
      { headers: json },
      { headers: json, body: '' },
      { headers: json, body: '{}' },
      { headers: json, body: 'null' },
      { headers: { 'content-type': 'application/json; charset=utf-8' }, body: '{}' },
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' },
      { body: '{}' },
      { headers: { 'content-type': 'text/plain' }, body: '' },
    ]
    for (const part of empty) {
      assert.equal(await statusOf({ ...trigger, ...part }), 201, JSON.stringify(part))
      const old = { method: 'POST', path: '/api/v1.1/project/gh/acme/web', ...part }
      assert.equal(await statusOf({ ...old, headers: { accept: '*/*', ...part.headers } }), 201, JSON.stringify(part))
      assert.equal(
        await statusOf({ method: 'POST', path: `/api/v2/workflow/${farm.workflow.id}/cancel`, ...part }),
        202,
      )
    }
  })

  test('of generation 2 that is not declared as JSON is refused, and the answer says why', async () => {
    const body = '{"branch":"main"}'
    await refused({ ...trigger, body }, 400, /must be declared as application\/json: it is not declared/)
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
    ]) {
      await refused(
        { ...trigger, body, headers: { 'content-type': type } },
        400,
        /must be declared as application\/json: it is /,
      )
    }
    assert.equal(await statusOf({ ...trigger, body, headers: { 'content-type': 'application/vnd.api+json' } }), 201)
  })

  test('of generation 1.1 may be a form', async () => {
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'build_parameters[A]=1&build_parameters[B]=two+words'
    const answer = await ask({ method: 'POST', path: '/api/v1.1/project/gh/acme/web', headers, body })
    assert.deepEqual((valueOf(answer) as Record<string, unknown>)['build_parameters'], { A: '1', B: 'two words' })
    const variable = {
      method: 'POST',
      path: '/api/v1.1/project/gh/acme/web/envvar',
      headers,
      body: 'name=FORM&value=12345678',
    }
    assert.deepEqual(valueOf(await ask(variable)), { name: 'FORM', value: 'xxxx5678' })
  })

  test('that is no JSON is refused', async () => {
    for (const body of ['{', '{"branch":', 'branch=main', '{"branch":"main"}}', '\u0000', 'NaN', "{'branch':'main'}"]) {
      await refused({ ...trigger, headers: json, body }, 400, /^Invalid JSON body\.$/)
    }
    await refused({ ...trigger, headers: json, body: Buffer.from([0xff, 0xfe, 0x7b]) }, 400, /^Invalid JSON body\.$/)
  })

  test('that is larger than 4 MB is refused', async () => {
    const huge = JSON.stringify({ branch: 'x'.repeat(5 * 1024 * 1024) })
    await refused({ ...trigger, headers: json, body: huge }, 413, /too large/)
    await refused(
      { method: 'POST', path: '/api/v1.1/project/gh/acme/web', headers: json, body: huge },
      413,
      /too large/,
    )
  })

  test('that is larger than 4 MB is refused also where nobody said how large it would be', async () => {
    const headers = { ...json, 'transfer-encoding': 'chunked' }
    await refused(
      { ...trigger, headers, body: JSON.stringify({ branch: 'x'.repeat(5 * 1024 * 1024) }) },
      413,
      /too large/,
    )
    assert.equal(await statusOf({ ...trigger, headers, body: '{"branch":"main"}' }), 201)
  })

  test('that holds members of wrong types, or lacks some, is refused with the place', async () => {
    const wrong: readonly (readonly [string, string, unknown, RegExp])[] = [
      ['POST', '/api/v2/project/gh/acme/web/pipeline', { branch: 7 }, /at branch/],
      ['POST', '/api/v2/project/gh/acme/web/pipeline', { branch: '' }, /at branch/],
      ['POST', '/api/v2/project/gh/acme/web/pipeline', { parameters: [] }, /at parameters/],
      ['POST', '/api/v2/project/gh/acme/web/pipeline', { parameters: { a: { b: 1 } } }, /at parameters/],
      ['POST', '/api/v2/project/gh/acme/web/pipeline', { parameters: { a: 'x'.repeat(513) } }, /at parameters/],
      ['POST', '/api/v2/project/gh/acme/web/pipeline', [], /body/],
      ['POST', '/api/v2/project/gh/acme/web/pipeline', 'main', /body/],
      ['POST', '/api/v2/project/gh/acme/web/envvar', { name: 'A' }, /body/],
      ['POST', '/api/v2/project/gh/acme/web/envvar', { name: 'A', value: 7 }, /at value/],
      ['POST', '/api/v2/webhook', { name: 'x' }, /body/],
      ['POST', `/api/v2/workflow/${farm.workflow.id}/rerun`, { jobs: ['x'] }, /at jobs/],
      ['POST', `/api/v2/workflow/${farm.workflow.id}/rerun`, { from_failed: 'true' }, /at from_failed/],
      ['POST', '/api/v1.1/project/gh/acme/web', { build_parameters: 'A=1' }, /at build_parameters/],
      ['POST', '/api/v1.1/project/gh/acme/web', { build_parameters: { 'a b': 1 } }, /build parameter "a b"/],
      ['POST', '/api/v1.1/project/gh/acme/web', { revision: 7 }, /at revision/],
      ['POST', '/api/v1.1/project/gh/acme/web/envvar', {}, /body/],
      ['POST', '/api/rh/v1/project', { url: 'https://example.com/x.git' }, /body/],
      ['POST', '/api/rh/v1/session', {}, /body/],
    ]
    for (const [method, path, body, why] of wrong) {
      await refused(
        { method, path, headers: { accept: 'application/json', ...json }, body: JSON.stringify(body) },
        400,
        why,
      )
    }
  })

  test('that nests without end or names the prototype changes nothing', async () => {
    for (const levels of [200, 10_000, 1_000_000]) {
      const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
      await refused({ ...trigger, headers: json, body: `{"parameters":${deep}}` }, 400, /nested 100 deep/)
      const old = { method: 'POST', path: '/api/v1.1/project/gh/acme/web', headers: json }
      await refused({ ...old, body: `{"build_parameters":{"A":${deep}}}` }, 400, /nested 100 deep/)
    }
    const answer = await ask({
      ...trigger,
      headers: json,
      body: '{"__proto__":{"branch":"none"},"constructor":{"prototype":{"x":1}}}',
    })
    assert.equal(answer.status, 201)
    assert.equal(({} as Record<string, unknown>)['x'], undefined)
  })
})
