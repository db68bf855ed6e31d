import { Readable } from 'node:stream'
import * as contract from '#contract/rh/insights.ts'
import { wholeCredits } from '#core/insights/metrics.ts'
import { windowBetween } from '#core/insights/window.ts'
import type { App } from '#server/app/app.ts'
import { workflowFor } from '#server/app/find.ts'
import { exportRuns } from '#server/app/insights/export-runs.ts'
import { type RunDayRow, runDays } from '#server/app/insights/keep-days.ts'
import { paged } from '#server/app/insights/paged.ts'
import { cacheUse } from '#server/app/insights/cache-use.ts'
import { criticalPathOf } from '#server/app/insights/critical-path.ts'
import { projectOfId } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'

const time = (ms: number): string => new Date(ms).toISOString()

/** What insights tell beyond generation 2: waiting, critical paths, caches, days, and runs to take along. */
export function serveOwnInsights({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.getWaiting, async ({ caller, params, query }) => {
    const project = await projectOfId(world, caller, 'read', params.id)
    const { queue, busy, longest } = await app.insights.ask('waitingOf', project.id, query['reporting-window'])
    return {
      queue: queue.map(({ resourceClass, jobs, waited, running }) => ({
        resource_class: resourceClass,
        jobs,
        median_ms: waited.median,
        p95_ms: waited.p95,
        max_ms: waited.max,
        total_ms: waited.total,
        running_ms: running,
      })),
      busy: busy.map(({ at, agents }) => ({ timestamp: time(at), agents })),
      longest_jobs: longest.map(({ workflow, name, runs, took }) => ({
        workflow,
        name,
        runs,
        median_ms: took.median,
        p95_ms: took.p95,
        total_ms: took.total,
      })),
    }
  })

  serve(contract.getCriticalPath, async ({ caller, params }) => {
    const { stored } = await workflowFor(app, caller, 'read', params.id)
    const jobs = (await criticalPathOf(app, stored)).map(({ id, name, waitedFor, waited, ran, worth, nodes }) => ({
      id,
      name,
      waited_for: waitedFor,
      waited_ms: waited,
      ran_ms: ran,
      worth_ms: worth,
      ...(nodes && { nodes_ms: [...nodes] }),
    }))
    return { jobs }
  })

  serve(contract.getCacheUse, async ({ caller, params, query }) => {
    const project = await projectOfId(world, caller, 'read', params.id)
    const { hits, misses, rate, days } = await cacheUse(app, project, query['reporting-window'])
    return {
      hits,
      misses,
      hit_rate: rate,
      days: days.map((day) => ({ timestamp: time(day.day), hits: day.hits, misses: day.misses })),
    }
  })

  serve(contract.listRunDays, async ({ caller, params, query }) => {
    const project = await projectOfId(world, caller, 'read', params.id)
    const { 'page-token': token, ...asked } = query
    const page = await paged(app, `days:${project.id}`, token, asked, (meant, after) =>
      runDays(app, project, meant['workflow-name'], after),
    )
    return { items: page.items.map(dayView), next_page_token: page.next }
  })

  serve(contract.exportRuns, async ({ caller, params, query, reply }) => {
    const project = await projectOfId(world, caller, 'read', params.id)
    const { format = 'csv', branch, 'workflow-name': workflow } = query
    const window = windowBetween(query['start-date'], query['end-date'], Date.parse(world.now()))
    const branches = branch === undefined ? undefined : new Set([branch])
    const name = `runs-of-${project.name.replaceAll(/[^\w.-]/g, '-')}.${format}`
    return reply
      .header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(exportRuns(world, project, { window, branches, workflow }, format), { objectMode: false }))
  })
}

const dayView = (row: RunDayRow): contract.RunDay => ({
  timestamp: time(row.day),
  workflow: row.name,
  ...(row.branch !== '' && { branch: row.branch }),
  total_runs: row.runs,
  successful_runs: row.successful,
  failed_runs: row.failed,
  canceled_runs: row.canceled,
  total_duration_secs: Math.trunc(row.duration / 1000),
  total_credits_used: wholeCredits(row.credits),
})
