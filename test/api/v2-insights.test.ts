import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as insights from '#contract/v2/insights.ts'
import { cancelWorkflow, getWorkflow, listWorkflowJobs } from '#contract/v2/workflow.ts'
import { listPipelineWorkflows, triggerPipeline } from '#contract/v2/pipeline.ts'
import { databases } from '#test/world.ts'
import { addressOf, messageOf } from './ask.ts'
import { newHand } from './hand.ts'
import { openService, type Service } from './service.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' } as const
const workflow = { ...slug, workflow_name: 'main' }
const config = `version: 2.1
jobs:
  build: { machine: true, steps: [run: echo built] }
  deploy: { machine: true, steps: [run: echo deployed] }
workflows:
  main: { jobs: [build, deploy: { requires: [build] }] }
`

for (const database of databases) {
  describe(`insights of generation 2 on ${database}`, () => {
    let service: Service
    let hand: Awaited<ReturnType<typeof newHand>>
    before(async () => {
      service = await openService({ database })
      hand = await newHand(service)
      await service.push('acme/web', { '.service/config.yml': config }, ['main'])
      await hand.play('build', 'success')
      await hand.play('deploy', 'success')
    })
    after(() => service[Symbol.asyncDispose]())

    async function begin(): Promise<string> {
      const { id } = await service.call(triggerPipeline, { params: slug, body: {} })
      return service.until(
        async () =>
          (await service.call(listPipelineWorkflows, { params: { pipeline_id: id }, query: {} })).items[0]?.id,
      )
    }

    const metrics = async () => {
      const { items } = await service.call(insights.listWorkflowInsights, { params: slug, query: {} })
      return items[0]?.metrics
    }
    const counts = async () => {
      const found = await metrics()
      return [found?.total_runs, found?.successful_runs, found?.failed_runs]
    }

    test('are right the moment a run ends, whether it succeeds, fails, is canceled or still runs', async () => {
      assert.deepEqual(await counts(), [1, 1, 0])
      await begin()
      assert.deepEqual(await counts(), [2, 1, 0])
      await hand.play('build', 'failed')
      assert.deepEqual(await counts(), [2, 1, 1])
      const id = await begin()
      await service.call(cancelWorkflow, { params: { id } })
      assert.deepEqual(await counts(), [3, 1, 1])
      assert.equal((await metrics())?.success_rate, 1 / 3)
      const { items } = await service.call(insights.listWorkflowRuns, { params: workflow, query: {} })
      assert.deepEqual(
        items.map(({ status, branch }) => [status, branch]),
        [
          ['canceled', 'main'],
          ['failed', 'main'],
          ['success', 'main'],
        ],
      )
      const { stopped_at } = await service.call(getWorkflow, { params: { id } })
      assert.equal(items[0]?.stopped_at.slice(0, 19), stopped_at?.slice(0, 19))
      assert.ok((await service.call(listWorkflowJobs, { params: { id }, query: {} })).items.length > 0)
    })

    test('list the runs of one job of a workflow, newest first', async () => {
      const runs = async (job_name: string, query = {}) => {
        const params = { ...workflow, job_name }
        return (await service.call(insights.listJobRuns, { params, query })).items
      }
      const built = await runs('build')
      assert.deepEqual(
        built.map(({ status, branch }) => [status, branch]),
        [
          ['canceled', 'main'],
          ['failed', 'main'],
          ['success', 'main'],
        ],
      )
      assert.deepEqual(
        built.map(({ started_at }) => started_at),
        built
          .map(({ started_at }) => started_at)
          .toSorted()
          .toReversed(),
      )
      assert.equal((await runs('deploy')).length, 1)
      assert.deepEqual([await runs('none'), await runs('build', { branch: 'none' })], [[], []])
      assert.equal((await runs('build', { 'all-branches': true })).length, 3)
    })

    test('tell of the jobs of a workflow, all together and day by day', async () => {
      const { items } = await service.call(insights.listJobInsights, { params: workflow, query: {} })
      assert.deepEqual(
        items.map(({ name, metrics: of }) => [name, of.total_runs, of.successful_runs, of.failed_runs]),
        [
          ['build', 3, 1, 1],
          ['deploy', 1, 1, 0],
        ],
      )
      const series = await service.call(insights.listJobSeries, { params: workflow, query: {} })
      const total = series.items.reduce((sum, item) => sum + item.metrics.total_runs, 0)
      assert.deepEqual([total, series.next_page_token], [4, null])
      assert.match(series.items[0]?.timestamp ?? '', /T00:00:00\.000Z$/)
    })

    test('sum up workflows, projects and organizations', async () => {
      const one = await service.call(insights.getWorkflowSummary, { params: workflow, query: {} })
      assert.deepEqual([one.metrics.total_runs, one.trends.total_runs, one.workflow_names], [3, -1, ['main']])
      const project = await service.call(insights.getProjectSummary, { params: slug, query: {} })
      assert.deepEqual(
        [project.project_data.metrics.total_runs, project.project_data.trends.total_runs, project.all_branches],
        [3, 1, ['main']],
      )
      assert.deepEqual(
        project.project_workflow_branch_data.map((data) => [data.workflow_name, data.branch, data.metrics.total_runs]),
        [['main', 'main', 3]],
      )
      const params = { provider: slug.provider, org: slug.org }
      const org = await service.call(insights.getOrgSummary, { params, query: { 'reporting-window': 'last-7-days' } })
      assert.deepEqual(
        [org.org_data.metrics.total_runs, org.org_data.trends.total_runs, org.all_projects],
        [3, -1, ['web']],
      )
    })

    test('know branches, and answer for names that never ran with nothing', async () => {
      const { branches } = await service.call(insights.listInsightBranches, { params: slug, query: {} })
      assert.deepEqual(branches, ['main'])
      const query = { branch: 'other' }
      assert.deepEqual((await service.call(insights.listWorkflowInsights, { params: slug, query })).items, [])
      const params = { ...slug, workflow_name: 'none' }
      const summary = await service.call(insights.getWorkflowSummary, { params, query: {} })
      assert.deepEqual(
        [summary.metrics.total_runs, summary.metrics.duration_metrics.p95, summary.metrics.window_start],
        [0, null, null],
      )
    })

    test('go back 48 hours by the hour, farther by the day, and as far as dates say', async () => {
      const runs = async (query: { 'timeseries-granularity'?: 'hourly' | 'daily'; 'start-date'?: string }) => {
        const { items } = await service.call(insights.listJobSeries, { params: workflow, query })
        return items.reduce((sum, item) => sum + item.metrics.total_runs, 0)
      }
      const hourly = { 'timeseries-granularity': 'hourly' } as const
      const begun = new Date(Date.now() - 3_600_000).toISOString()
      assert.deepEqual([await runs(hourly), await runs({})], [4, 4])
      service.clock.aheadMs += 49 * 3_600_000
      assert.deepEqual([await runs(hourly), await runs({ ...hourly, 'start-date': begun }), await runs({})], [0, 4, 4])
      service.clock.aheadMs = 0
    })

    test('take a leap second for the second after it', async () => {
      const runs = async (from: string, to: string) => {
        const query = { 'start-date': from, 'end-date': to }
        return (await service.call(insights.listWorkflowRuns, { params: workflow, query })).items.length
      }
      // Exactly 90 days, the most there may be.
      assert.equal(await runs('2016-10-03T00:00:00Z', '2016-12-31T23:59:60Z'), 0)
      const path = addressOf(insights.listWorkflowRuns, workflow, {
        'start-date': '2016-12-31T23:59:60Z',
        'end-date': '2016-12-31T23:59:59Z',
      })
      const answer = await service.ask({ method: 'GET', path, token: service.admin.token })
      assert.deepEqual([answer.status, /before/.test(messageOf(answer))], [400, true])
    })

    test('refuse dates that make no window', async () => {
      const refused = async (query: Record<string, string>) => {
        const path = addressOf(insights.listWorkflowRuns, workflow, query)
        const answer = await service.ask({ method: 'GET', path, token: service.admin.token })
        return `${answer.status} ${messageOf(answer)}`
      }
      assert.match(await refused({ 'end-date': '2026-01-01T00:00:00Z' }), /^400 .*start-date/)
      const from = { 'start-date': '2026-01-01T00:00:00Z' }
      assert.match(await refused({ ...from, 'end-date': '2025-12-31T00:00:00Z' }), /^400 .*before/)
      assert.match(await refused({ ...from, 'end-date': '2026-04-02T00:00:00Z' }), /^400 .*90 days/)
      assert.match(await refused({ 'start-date': '2026-02-30T00:00:00Z' }), /^400 .*start-date/)
      assert.match(await refused({ 'start-date': 'yesterday' }), /^400 .*start-date/)
    })
  })
}
