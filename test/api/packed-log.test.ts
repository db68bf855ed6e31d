import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { test } from 'node:test'
import { finishJob, reportSteps } from '#contract/agent/report.ts'
import { packSome } from '#server/app/pending.ts'
import { openFarm } from './farm.ts'
import { openService } from './service.ts'

test('a log that was packed before its job ended is still there afterwards', async () => {
  await using service = await openService()
  const { ada, job } = await openFarm(service)
  await service.rest()
  const at = service.world.now()
  await service.ask({
    method: 'PATCH',
    path: `/api/rh/v1/agent/job/${job.id}/step/0/log`,
    token: job.token,
    headers: { 'content-range': 'bytes 0-4/*' },
    body: 'hello',
  })
  const steps = [
    {
      index: 0,
      status: 'success' as const,
      started_at: at,
      ended_at: at,
      exit_code: 0,
      log_size: 5,
      log_crc: crc32('hello'),
    },
  ]
  await service.call(reportSteps, { params: { id: job.id }, body: { steps } }, job.token)
  await packSome(service.app)
  await service.call(
    finishJob,
    { params: { id: job.id }, body: { outcome: 'success', reason: null, steps } },
    job.token,
  )
  const { text } = await service.ask({ method: 'GET', path: `/api/rh/v1/job/${job.id}/step/0/log`, token: ada.token })
  assert.equal(text, 'hello')
})
