import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { finishJob, reportSteps } from '#contract/agent/report.ts'
import { readLines, searchLogs } from '#contract/rh/log.ts'
import { getFailures } from '#contract/rh/failures.ts'
import { packSome } from '#server/app/pending.ts'
import { type Farm, openFarm } from './farm.ts'
import { openService, type Service } from './service.ts'

/** Longer than several frames, with lines of every length, some across their borders, and letters of several bytes. */
const lines = Array.from({ length: 6_000 }, (_, at) => `${at + 1} ${'ä'.repeat((at * 7) % 60)}`)
const whole = `${lines.join('\n')}\nthe last has \x1b[31mno\x1b[0m end`
const all = whole.split('\n')

describe('the lines of a log', () => {
  let service: Service
  let farm: Farm
  const bytes = Buffer.from(whole)

  before(async () => {
    service = await openService()
    farm = await openFarm(service)
    await service.rest()
    for (let at = 0; at < bytes.length; at += 100_001) {
      const part = bytes.subarray(at, at + 100_001)
      await service.ask({
        method: 'PATCH',
        path: `/api/rh/v1/agent/job/${farm.job.id}/step/0/log`,
        token: farm.job.token,
        headers: {
          'content-range': `bytes ${at}-${at + part.length - 1}/*`,
          'content-type': 'application/octet-stream',
        },
        body: part,
      })
    }
  })
  after(() => service[Symbol.asyncDispose]())

  const read = (query: { readonly from?: number; readonly count?: number }) =>
    service.call(readLines, { params: { id: farm.job.id, index: 0 }, query }, farm.ada.token)
  const search = async (text: string, token?: string) =>
    service.call(
      searchLogs,
      { params: { id: farm.job.id }, query: { text, ...(token !== undefined && { 'page-token': token }) } },
      farm.ada.token,
    )

  const windows = [
    [1, 5],
    [2, 1],
    [1_999, 700],
    [4_711, 1],
    [5_990, 2_000],
  ] as const

  test('are read from any number on while it is written, and the one without an end is left out', async () => {
    for (const [from, count] of windows) {
      const { lines: got, first, total, ended } = await read({ from, count })
      assert.deepEqual(
        { got, first, total, ended },
        {
          got: lines.slice(from - 1, from - 1 + count),
          first: from,
          total: lines.length,
          ended: false,
        },
      )
    }
  })

  test('are read from the end, with the place from which to follow it', async () => {
    const { lines: got, first, offset } = await read({ count: 3 })
    assert.deepEqual(got, lines.slice(-3))
    assert.equal(first, lines.length - 2)
    assert.equal(bytes.subarray(offset).toString(), all.at(-1))
  })

  test('beyond the end are none', async () => {
    assert.deepEqual((await read({ from: 1_000_000 })).lines, [])
  })

  test('are the same once the log is packed, with the one that has no end', async () => {
    const at = service.world.now()
    const size = { log_size: bytes.length, log_crc: crc32(bytes) }
    const steps = [{ index: 0, status: 'failed' as const, started_at: at, ended_at: at, exit_code: 3, ...size }]
    await service.call(reportSteps, { params: { id: farm.job.id }, body: { steps } }, farm.job.token)
    await packSome(service.app)
    for (const [from, count] of windows) {
      const { lines: got, total, ended } = await read({ from, count })
      assert.deepEqual(
        { got, total, ended },
        { got: all.slice(from - 1, from - 1 + count), total: all.length, ended: true },
      )
    }
    assert.deepEqual((await read({ count: 2 })).lines, all.slice(-2))
    await service.call(
      finishJob,
      { params: { id: farm.job.id }, body: { outcome: 'failed', reason: null, steps } },
      farm.job.token,
    )
  })

  test('are searched whatever the case, and without what a terminal would obey', async () => {
    const { items } = await search('THE LAST')
    assert.deepEqual(items, [{ step: 0, line: all.length, text: 'the last has no end' }])
    assert.deepEqual((await search('nobody wrote this')).items, [])
    assert.deepEqual(
      (await search('5999 Ä')).items.map(({ line }) => line),
      [5_999],
    )
  })

  test('are searched for what was typed, and for no pattern', async () => {
    for (const text of ['.', '5.99', '[0-9]', '(', '\\d', '599|5', '$'])
      assert.deepEqual((await search(text)).items, [], text)
  })

  test('are found page after page, none twice and none left out', async () => {
    const found: number[] = []
    let token: string | undefined
    for (let pages = 0; pages < 100; pages++) {
      const page = await search('9', token)
      found.push(...page.items.map(({ line }) => line))
      if (page.next_page_token === null) break
      token = page.next_page_token
    }
    assert.deepEqual(
      found,
      all.flatMap((line, at) => (line.includes('9') ? [at + 1] : [])),
    )
  })

  test('tell why a job failed: its step, its exit code and the end of what it printed', async () => {
    const { items } = await service.call(getFailures, { params: { id: farm.workflow.id } }, farm.ada.token)
    assert.equal(items.length, 1)
    assert.match(items[0]!.message, /ended with exit code 3$/)
    assert.deepEqual(items[0]!.step?.lines, all.slice(-12))
    assert.equal(items[0]!.step?.first_line, all.length - 11)
  })
})
