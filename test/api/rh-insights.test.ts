import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { readQuarantine, storeTests } from '#contract/agent/tests.ts'
import type { JobSpec } from '#contract/agent.ts'
import * as own from '#contract/rh/insights.ts'
import * as quarantine from '#contract/rh/quarantine.ts'
import * as insights from '#contract/v2/insights.ts'
import { rerunWorkflow } from '#contract/v2/workflow.ts'
import { getProject } from '#contract/v2/project.ts'
import { foldOldRuns } from '#server/app/insights/keep-days.ts'
import { usualInsights } from '#server/app/insight-terms.ts'
import { databases } from '#test/world.ts'
import { addressOf } from './ask.ts'
import { newHand } from './hand.ts'
import { openService, type Service } from './service.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' } as const
const workflow = { ...slug, workflow_name: 'main' }
const config = `version: 2.1
jobs:
  build: { machine: true, steps: [run: echo built] }
workflows:
  main: { jobs: [build] }
`

/** A collector of traces that keeps what it is told. */
async function collector() {
  const told: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (bytes) => (text += String(bytes)))
    request.on('end', () => {
      told.push(text)
      response.end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  return { told, url, [Symbol.asyncDispose]: async () => void server.close() }
}

interface Span {
  readonly name: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly status: { readonly code: number }
}

for (const database of databases) {
  describe(`our own insights on ${database}`, () => {
    let service: Service
    let traces: Awaited<ReturnType<typeof collector>>
    let hand: Awaited<ReturnType<typeof newHand>>
    let project: string
    before(async () => {
      traces = await collector()
      const terms = { insights: { ...usualInsights, traces: { url: traces.url, headers: { 'x-key': 'k' } } } }
      service = await openService({ database, terms })
      hand = await newHand(service)
      await service.push('acme/web', { '.service/config.yml': config }, ['main'])
      const first = await take()
      await tests(first, 'failure')
      await hand.finish(first, 'failed')
      project = (await service.call(getProject, { params: slug })).id
    })
    after(async () => {
      await service[Symbol.asyncDispose]()
      await traces[Symbol.asyncDispose]()
    })

    const named = { file: 'a.test.ts', classname: 'sum', name: 'adds' }

    async function take(): Promise<JobSpec> {
      for (let turn = 0; turn < 10; turn += 1) {
        const [job] = await hand.claim()
        if (job) return job
      }
      throw new Error('Cannot find a job')
    }

    /** One test that is told to have ended so, and one that always passes. */
    async function tests({ id, token }: JobSpec, result: 'success' | 'failure') {
      const one = { ...named, source: 'unit', result, message: '', run_time: 1.5 }
      const other = { ...one, file: 'b.test.ts', name: 'other', result: 'success' as const, run_time: 0.5 }
      const body = { batch: 0, tests: [one, other], bytes: 10, problems: [] }
      await service.call(storeTests, { params: { id, index: 0 }, body }, token)
    }

    test('a test that fails and then passes on one commit is flaky at once, and no longer after two weeks', async () => {
      const list = async () => (await service.call(insights.listFlakyTests, { params: slug })).flaky_tests
      assert.deepEqual(await list(), [])
      const { items } = await service.call(insights.listWorkflowRuns, { params: workflow, query: {} })
      await service.call(rerunWorkflow, { params: { id: items[0]?.id ?? '' }, body: {} })
      const again = await take()
      await tests(again, 'success')
      await hand.finish(again, 'success')
      const [flaky, ...others] = await list()
      assert.deepEqual(
        [flaky?.test_name, flaky?.times_flaked, flaky?.time_wasted, flaky?.job_name, flaky?.['job-number'], others],
        ['adds', 1, 1, 'build', 1, []],
      )
      service.clock.aheadMs += 15 * 86_400_000
      assert.deepEqual(await list(), [])
      service.clock.aheadMs -= 15 * 86_400_000
    })

    test('the tests of the latest runs are told with what failed most and took longest', async () => {
      const metrics = await service.call(insights.getTestMetrics, { params: workflow, query: {} })
      assert.deepEqual(
        metrics.most_failed_tests.map((of) => [of.test_name, of.failed_runs, of.total_runs, of.flaky]),
        [['adds', 1, 2, true]],
      )
      assert.deepEqual(
        metrics.slowest_tests.map((of) => [of.test_name, of.p95_duration]),
        [
          ['adds', 1.5],
          ['other', 0.5],
        ],
      )
      assert.deepEqual(
        metrics.test_runs.map((run) => [run.success_rate, run.test_counts.total]),
        [
          [1, 2],
          [0.5, 2],
        ],
      )
      assert.equal(metrics.average_test_count, 2)
    })

    test('a failure is recovered by the rerun that succeeds', async () => {
      const { items } = await service.call(insights.listWorkflowInsights, { params: slug, query: {} })
      assert.deepEqual([items[0]?.metrics.total_recoveries, items[0]?.metrics.total_runs], [1, 2])
    })

    test('one test has a history, and may be put into quarantine and taken out', async () => {
      const params = { id: project }
      const history = async () => service.call(quarantine.getTestHistory, { params, query: named })
      assert.deepEqual(
        (await history()).items.map(({ result, branch, job_name }) => [result, branch, job_name]),
        [
          ['success', 'main', 'build'],
          ['failure', 'main', 'build'],
        ],
      )
      const put = await service.call(quarantine.quarantineTest, { params, body: { ...named, reason: 'known' } })
      assert.deepEqual([put.name, put.reason, put.created_by], ['adds', 'known', service.admin.id])
      assert.equal((await history()).quarantined, true)
      const { id } = (await service.call(insights.listWorkflowRuns, { params: workflow, query: {} })).items[0] ?? {
        id: '',
      }
      await service.call(rerunWorkflow, { params: { id }, body: {} })
      const job = await take()
      const units = await service.call(readQuarantine, { params: { id: job.id } }, job.token)
      // The class has a test that is not in quarantine.
      assert.deepEqual(units, { filename: ['a.test.ts'], classname: [], testname: ['adds'] })
      await hand.finish(job, 'success')
      await service.call(quarantine.releaseTest, { params, query: named })
      assert.deepEqual((await service.call(quarantine.listQuarantine, { params, query: {} })).items, [])
      const path = addressOf(quarantine.releaseTest, params, named)
      assert.equal((await service.ask({ method: 'DELETE', path, token: service.admin.token })).status, 404)
    })

    test('waiting, busy agents and long jobs are told, and the jobs that decided how long a workflow took', async () => {
      const params = { id: project }
      const waiting = await service.call(own.getWaiting, { params, query: {} })
      assert.deepEqual(
        [waiting.queue[0]?.jobs, waiting.longest_jobs.map(({ name, runs }) => [name, runs])],
        [3, [['build', 3]]],
      )
      const { items } = await service.call(insights.listWorkflowRuns, { params: workflow, query: {} })
      const { jobs } = await service.call(own.getCriticalPath, { params: { id: items[0]?.id ?? '' } })
      assert.deepEqual(
        jobs.map(({ name }) => name),
        ['build'],
      )
      assert.deepEqual((await service.call(own.getCacheUse, { params, query: {} })).hit_rate, 0)
    })

    test('runs can be taken along as CSV and as JSON', async () => {
      const read = async (query: Record<string, string>) => {
        const headers = { authorization: `Bearer ${service.admin.token}` }
        const answer = await fetch(`${service.base}${addressOf(own.exportRuns, { id: project }, query)}`, { headers })
        return { type: answer.headers.get('content-type'), text: await answer.text() }
      }
      const csv = await read({})
      assert.equal(csv.type, 'text/csv; charset=utf-8')
      const lines = csv.text.trimEnd().split('\r\n')
      assert.equal(lines[0], 'workflow,id,branch,status,created_at,stopped_at,duration,credits_used')
      assert.deepEqual(
        lines.slice(1).map((line) => line.split(',')[3]),
        ['success', 'success', 'failed'],
      )
      const rows = JSON.parse((await read({ format: 'json' })).text) as readonly { status: string }[]
      assert.deepEqual(
        rows.map(({ status }) => status),
        ['success', 'success', 'failed'],
      )
    })

    test('a collector is told of every workflow, with jobs and steps below it', async () => {
      const spans = await service.until(async () => {
        const all = traces.told.flatMap((text) => {
          const { resourceSpans } = JSON.parse(text) as {
            resourceSpans: readonly { scopeSpans: readonly { spans: readonly Span[] }[] }[]
          }
          return resourceSpans.flatMap((of) => of.scopeSpans.flatMap((scope) => scope.spans))
        })
        return all.filter(({ name }) => name === 'main').length === 3 ? all : undefined
      })
      const build = spans.find(({ name }) => name === 'build')
      const main = spans.find(({ spanId }) => spanId === build?.parentSpanId)
      assert.deepEqual([main?.name, main?.parentSpanId], ['main', undefined])
      assert.ok(spans.some(({ parentSpanId }) => parentSpanId === build?.spanId))
      assert.deepEqual([...new Set(spans.map(({ status }) => status.code))].toSorted(), [1, 2])
    })

    test('the numbers of the service count what ended', async () => {
      const text = await (await fetch(`${service.base}/metrics`)).text()
      assert.match(text, /^roundhouse_workflows_completed_total\{status="success"\} 2$/m)
      assert.match(text, /^roundhouse_jobs_completed_total\{status="failed"\} 1$/m)
      assert.match(text, /^roundhouse_traces_pending \d+$/m)
    })

    test('old runs are folded into their days, which tell the same as before', async () => {
      const params = { id: project }
      const query = { 'workflow-name': 'main' }
      const days = async () => service.call(own.listRunDays, { params, query })
      const fresh = await days()
      assert.deepEqual(
        [
          fresh.items.reduce((sum, day) => sum + day.total_runs, 0),
          fresh.items.reduce((sum, day) => sum + day.successful_runs, 0),
        ],
        [3, 2],
      )
      service.clock.aheadMs += 92 * 86_400_000
      await foldOldRuns(service.world)
      await foldOldRuns(service.world)
      assert.deepEqual(await days(), fresh)
      assert.deepEqual(await service.world.db.selectFrom('run_facts').selectAll().execute(), [])
      assert.deepEqual(await service.world.db.selectFrom('job_facts').selectAll().execute(), [])
    })
  })
}
