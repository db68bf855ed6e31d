import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { finishJob, reportSteps } from '#contract/agent/report.ts'
import { readLines } from '#contract/rh/log.ts'
import { packSome } from '#server/app/pending.ts'
import { type Farm, openFarm } from './farm.ts'
import { openService, type Service } from './service.ts'

describe('when the lines of a log were written, and how they look', () => {
  let service: Service
  let farm: Farm
  let size = 0
  const text: string[] = []

  before(async () => {
    service = await openService()
    farm = await openFarm(service)
    await service.rest()
  })
  after(() => service[Symbol.asyncDispose]())

  const append = async (piece: string, times: string) => {
    const { status } = await service.ask({
      method: 'PATCH',
      path: `/api/rh/v1/agent/job/${farm.job.id}/step/0/log`,
      token: farm.job.token,
      headers: {
        'content-range': `bytes ${size}-${size + piece.length - 1}/*`,
        'content-type': 'application/octet-stream',
        'log-times': times,
      },
      body: piece,
    })
    if (status !== 200) return status
    size += piece.length
    text.push(piece)
    return status
  }
  const read = (query: { readonly from?: number; readonly count?: number }) =>
    service.call(readLines, { params: { id: farm.job.id, index: 0 }, query }, farm.ada.token)
  /** Hundreds of seconds behind the first: so long no request takes. */
  const spread = (times: readonly { readonly line: number; readonly at: string }[]) =>
    times.map(({ line, at }) => [line, Math.round((Date.parse(at) - Date.parse(times[0]!.at)) / 100_000)])

  test('is told by the agent as ages, since its clock may be wrong', async () => {
    assert.equal(await append('one\ntwo\n', '0:900000,4:600000'), 200)
    assert.equal(await append('three\nfour', '8:300000'), 200)
    assert.equal(await append(' goes on\nfive\n', '18:0'), 200)
    const { times, lines } = await read({ from: 1 })
    assert.deepEqual(lines, ['one', 'two', 'three', 'four goes on', 'five'])
    assert.deepEqual(spread(times), [
      [1, 0],
      [2, 3],
      [3, 6],
      [5, 9],
    ])
    assert.deepEqual(spread((await read({ from: 4, count: 2 })).times), [
      [4, 0],
      [5, 3],
    ])
  })

  test('is refused where it is nonsense, and the log stays as it was', async () => {
    for (const times of ['x', '1', '1:2,', '1:-2', '1:2:3', '9'.repeat(20) + ':1'])
      assert.equal(await append('no\n', times), 400, times)
    assert.equal((await read({})).total, 5)
  })

  test('a line begins in the colour that an earlier one left, however far back it was set', async () => {
    const filler = 'x'.repeat(99) + '\n'
    assert.equal(
      await append(`\x1b[1mbold\x1b[0m\n\x1b[31mred\n${filler.repeat(1500)}\x1b[4mand underlined\nlast\n`, ''),
      200,
    )
    const { total } = await read({ count: 1 })
    assert.equal((await read({ from: 7, count: 1 })).look, '\x1b[0m')
    assert.equal((await read({ from: 9, count: 1 })).look, '\x1b[0m\x1b[31m')
    assert.equal((await read({ from: total ?? 0, count: 1 })).look, '\x1b[0m\x1b[31m\x1b[4m')
    assert.equal((await read({ from: 1, count: 1 })).look, '')
  })

  test('stays when the log is packed, and is told to whoever follows it', async () => {
    const whole = text.join('')
    const at = service.world.now()
    const ended = { log_size: size, log_crc: crc32(whole) }
    const steps = [{ index: 0, status: 'success' as const, started_at: at, ended_at: at, exit_code: 0, ...ended }]
    const earlier = await read({ from: 1, count: 5 })
    await service.call(reportSteps, { params: { id: farm.job.id }, body: { steps } }, farm.job.token)
    await packSome(service.app)
    assert.deepEqual((await read({ from: 1, count: 5 })).times, earlier.times)
    await service.call(
      finishJob,
      { params: { id: farm.job.id }, body: { outcome: 'success', reason: null, steps } },
      farm.job.token,
    )
    const followed = await service.ask({
      method: 'GET',
      path: `/api/rh/v1/job/${farm.job.id}/step/0/follow?from=5`,
      token: farm.ada.token,
    })
    const offsets = [...followed.text.matchAll(/event: time\ndata: \{"offset":(\d+)/g)].map(([, offset]) =>
      Number(offset),
    )
    assert.deepEqual(offsets, [4, 8, 18])
    assert.match(followed.text, /event: end/)
  })
})
