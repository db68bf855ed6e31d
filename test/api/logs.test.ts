import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { after, before, describe, test } from 'node:test'
import { finishJob } from '#contract/agent/report.ts'
import { valueOf } from './ask.ts'
import { type Farm, openFarm } from './farm.ts'
import { openService, type Service } from './service.ts'

describe('the log of a step', () => {
  let service: Service
  let farm: Farm
  before(async () => {
    service = await openService()
    farm = await openFarm(service)
  })
  after(() => service[Symbol.asyncDispose]())

  const path = () => `/api/rh/v1/agent/job/${farm.job.id}/step/0/log`
  const append = (range: string, body: string, token = farm.job.token) =>
    service.ask({
      method: 'PATCH',
      path: path(),
      token,
      headers: { 'content-range': range, 'content-type': 'application/octet-stream' },
      body,
    })
  const read = async (query = '') =>
    (
      await service.ask({
        method: 'GET',
        path: `/api/rh/v1/job/${farm.job.id}/step/0/log${query}`,
        token: farm.ada.token,
      })
    ).text

  test('grows by ranges that begin where it ends, and tells where that is to whoever believed otherwise', async () => {
    assert.deepEqual(valueOf(await append('bytes 0-4/*', 'hello')), { offset: 5 })
    for (const [range, text] of [
      ['bytes 0-4/*', 'hello'],
      ['bytes 4-8/*', 'xxxxx'],
      ['bytes 9-9/*', 'x'],
    ] as const) {
      const answer = await append(range, text)
      assert.deepEqual([answer.status, valueOf(answer)], [416, { offset: 5 }], range)
    }
    assert.deepEqual(valueOf(await append('bytes 5-11/*', ' world\n')), { offset: 12 })
    assert.equal(await read(), 'hello world\n')
  })

  test('refuses a range that is none, is too large, or is not what comes', async () => {
    for (const range of [
      '',
      'bytes',
      'bytes 12-11/*',
      'bytes -1-5/*',
      'bytes 12-/*',
      'bytes 12-13',
      'lines 12-13/*',
      'bytes 1e1-13/*',
    ]) {
      assert.equal((await append(range, 'ab')).status, 400, range)
    }
    assert.equal((await append('bytes 12-99999999/*', 'ab')).status, 413)
    assert.equal((await append('bytes 12-15/*', 'ab')).status, 400)
    assert.equal((await append('bytes 12-12/*', 'abcdef')).status, 400)
    assert.equal(await read(), 'hello world\n')
  })

  test('is written by the job itself and by nobody else', async () => {
    for (const token of [farm.ada.token, farm.agent, service.admin.token])
      assert.equal((await append('bytes 12-12/*', 'x', token)).status, 403)
    const other = `/api/rh/v1/agent/job/${farm.workflow.id}/step/0/log`
    const answer = await service.ask({
      method: 'PATCH',
      path: other,
      token: farm.job.token,
      headers: { 'content-range': 'bytes 0-0/*' },
      body: 'x',
    })
    assert.equal(answer.status, 404)
    const none = await service.ask({
      method: 'PATCH',
      path: path().replace('/0/log', '/99/log'),
      token: farm.job.token,
      headers: { 'content-range': 'bytes 0-0/*' },
      body: 'x',
    })
    assert.equal(none.status, 404)
  })

  test('is read in part, from any byte to before another', async () => {
    assert.deepEqual(
      [
        await read('?from=6'),
        await read('?from=6&to=8'),
        await read('?to=5'),
        await read('?from=12'),
        await read('?from=999'),
        await read('?from=5&to=5'),
      ],
      ['world\n', 'wo', 'hello', '', '', ''],
    )
  })

  test('comes as plain text that no browser takes for a page', async () => {
    const { headers } = await service.ask({
      method: 'GET',
      path: `/api/rh/v1/job/${farm.job.id}/step/0/log`,
      token: farm.ada.token,
    })
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.match(String(headers['content-security-policy']), /sandbox/)
  })

  test('must be whole and undamaged when its job ends', async () => {
    const at = service.world.now()
    const end = async (log_size: number, log_crc: number) => {
      const step = { index: 0, status: 'success', started_at: at, ended_at: at, exit_code: 0, log_size, log_crc }
      const body = JSON.stringify({ outcome: 'success', reason: null, steps: [step] })
      const headers = { 'content-type': 'application/json' }
      return service.ask({
        method: finishJob.method,
        path: `/api/rh/v1/agent/job/${farm.job.id}/finish`,
        token: farm.job.token,
        headers,
        body,
      })
    }
    const missing = await end(20, 0)
    assert.equal(missing.status, 409)
    assert.equal((valueOf(missing) as { readonly offset: number }).offset, 12)
    assert.equal((await end(12, 1)).status, 409)
    assert.equal((await end(12, crc32('hello world\n'))).status, 200)
    assert.equal(await read(), 'hello world\n')
  })
})
