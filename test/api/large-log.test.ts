import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { numberLine, readLines } from '#contract/rh/log.ts'
import { type Farm, openFarm } from './farm.ts'
import { openService, type Service } from './service.ts'

describe('the end of a log that is large, and that nobody has looked at yet', () => {
  let service: Service
  let farm: Farm
  const lines = Array.from({ length: 60_000 }, (_, at) => `\x1b[0;3${at % 8}m${at + 1} ${'ä'.repeat((at * 7) % 90)}`)
  const bytes = Buffer.from(`${lines.join('\n')}\nbegun`)

  before(async () => {
    service = await openService()
    farm = await openFarm(service)
    const size = 2_000_001
    for (let at = 0; at < bytes.length; at += size) {
      const body = bytes.subarray(at, at + size)
      const { status } = await service.ask({
        method: 'PATCH',
        path: `/api/rh/v1/agent/job/${farm.job.id}/step/0/log`,
        token: farm.job.token,
        headers: {
          'content-range': `bytes ${at}-${at + body.length - 1}/*`,
          'content-type': 'application/octet-stream',
        },
        body,
      })
      assert.equal(status, 200)
    }
  })
  after(() => service[Symbol.asyncDispose]())

  const params = () => ({ id: farm.job.id, index: 0 })
  const read = (count: number) => service.call(readLines, { params: params(), query: { count } }, farm.ada.token)
  const numberOf = async (byte: number) =>
    (await service.call(numberLine, { params: params(), query: { byte } }, farm.ada.token)).line

  test('is read at once, without numbers, which are told when they are asked for', async () => {
    const end = await read(3)
    const { lines: got, first, total, look, ended } = end
    assert.deepEqual(
      { got, first, total, look, ended },
      { got: lines.slice(-3), first: null, total: null, look: '\x1b[0;34m', ended: false },
    )
    assert.equal(bytes.subarray(end.start, end.start + 5).toString(), lines.at(-3)?.slice(0, 5))
    assert.equal(bytes.subarray(end.offset).toString(), 'begun')
    assert.equal(await numberOf(end.start), lines.length - 2)
  })

  test('has its numbers from then on', async () => {
    const { first, total } = await read(3)
    assert.deepEqual({ first, total }, { first: lines.length - 2, total: lines.length })
  })

  test('counts nothing beyond the log, and one where it begins', async () => {
    assert.equal(await numberOf(0), 1)
    assert.equal(await numberOf(2 ** 40), lines.length + 1)
  })
})
