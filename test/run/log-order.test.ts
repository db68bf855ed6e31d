import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { printJob } from '#cli/ask/read.ts'
import { readNodes } from '#cli/job-log.ts'
import { serverAt } from '#cli/server.ts'
import { finishJob, reportSteps, type StepReport } from '#contract/agent/report.ts'
import { liveLogs } from '#local/live-log.ts'
import { newHand, runningStep } from '#test/api/hand.ts'
import { openService, type Service } from '#test/api/service.ts'

const config = `version: 2.1
jobs: { build: { machine: true, steps: [run: { name: first, command: x }, run: { name: second, command: x }] } }
workflows: { main: { jobs: [build] } }
`

/** A job of two steps whose agent is a hand: it says how they stand, and sends what they print when it is told to. */
async function openJob(service: Service) {
  const hand = await newHand(service)
  await service.push('acme/web', { '.service/config.yml': config })
  const job = await service.until(async () => (await hand.claim())[0])
  const at = service.world.now()
  const running = (index: number) => runningStep(index, at)
  return {
    id: job.id,
    running,
    /** Ended: with all of its log, where that is given. */
    ended: (index: number, log?: string): StepReport => ({
      ...running(index),
      status: 'success',
      ended_at: at,
      exit_code: 0,
      ...(log !== undefined && { log_size: log.length, log_crc: crc32(log) }),
    }),
    report: (...steps: StepReport[]) =>
      service.call(reportSteps, { params: { id: job.id }, body: { steps } }, job.token),
    finish: (...steps: StepReport[]) =>
      service.call(finishJob, { params: { id: job.id }, body: { outcome: 'success', reason: null, steps } }, job.token),
    async send(index: number, from: number, text: string): Promise<void> {
      const { status } = await service.ask({
        method: 'PATCH',
        path: `/api/rh/v1/agent/job/${job.id}/step/${index}/log`,
        token: job.token,
        headers: {
          'content-range': `bytes ${from}-${from + text.length - 1}/*`,
          'content-type': 'application/octet-stream',
        },
        body: text,
      })
      assert.equal(status, 200)
    },
  }
}

test('the last words of a step come before the next one, though that has begun when they arrive', async () => {
  await using service = await openService()
  const it = await openJob(service)
  const server = serverAt(service.base, service.admin.token)
  const said: string[] = []
  const live = liveLogs(server, (...lines) => void said.push(...lines), false)
  const look = async () => live('build', await readNodes(server, it.id), false)
  await it.report(it.running(0))
  await it.send(0, 0, 'one\n')
  await it.report(it.ended(0), it.running(1))
  await it.send(1, 0, 'three\n')
  await look()
  assert.deepEqual(said, ['build | ==== first', 'build | one'])
  await it.send(0, 4, 'two\n')
  await it.report(it.ended(0, 'one\ntwo\n'))
  await look()
  const all = ['build | ==== first', 'build | one', 'build | two', 'build | ==== second', 'build | three']
  assert.deepEqual(said, all)
})

test('whoever follows a log sees its steps one after another; whoever looks once sees what there is', async () => {
  await using service = await openService()
  const it = await openJob(service)
  const server = serverAt(service.base, service.admin.token)
  await it.report(it.running(0))
  await it.send(0, 0, 'one\n')
  await it.report(it.ended(0), it.running(1))
  await it.send(1, 0, 'three\n')
  const print = async (follow: boolean, hear: (text: string) => void = () => {}) => {
    let text = ''
    await printJob(server, it.id, follow, async (bytes) => hear((text += Buffer.from(bytes).toString())))
    return text
  }
  assert.equal(await print(false), '==== first\none\n==== second\nthree\n')
  let heard = ''
  const followed = print(true, (text) => (heard = text))
  await service.until(async () => heard.includes('one') || undefined)
  await it.send(0, 4, 'two\n')
  const ends = [it.ended(0, 'one\ntwo\n'), it.ended(1, 'three\n')]
  await it.report(...ends)
  await service.until(async () => heard.includes('three') || undefined)
  await it.finish(...ends)
  assert.equal(await followed, '==== first\none\ntwo\n==== second\nthree\n')
})
