import { getFailures } from '#contract/rh/failures.ts'
import { getTestOutput, listTests } from '#contract/rh/tests.ts'
import { numberLine, readLines, searchLogs as searchContract } from '#contract/rh/log.ts'
import { instant } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import { jobWord } from '#core/status-words.ts'
import type { JobStatus } from '#core/job.ts'
import type { App } from '#server/app/app.ts'
import { failuresOf } from '#server/app/failures.ts'
import { jobFor, workflowFor } from '#server/app/find.ts'
import { jobTests, testOutput, testProblems, testsAtAGlance } from '#server/app/job-tests.ts'
import { lineNumberAt, linesFrom } from '#server/app/log-lines.ts'
import { searchLogs } from '#server/app/search-logs.ts'
import { goneSignal } from '#server/api/gone.ts'
import { testView } from '#server/api/v2/tests.ts'
import type { Serving } from '#server/api/serve.ts'

const usualCount = 500

/** Logs for somebody who looks at a part of them, and what went wrong. */
export function serveLogPages({ serve }: Serving, app: App): void {
  serve(readLines, async ({ caller, params, query }) => {
    const { job } = await jobFor(app, caller, 'read', params.id)
    const log = { job: job.reused_from ?? job.id, node: query.node ?? 0, step: params.index }
    const { first, total, lines, times, ...place } = await linesFrom(app, log, query.from, query.count ?? usualCount)
    return {
      ...place,
      first: first ?? null,
      total: total ?? null,
      lines: [...lines],
      times: times.map(({ index, at }) => ({ line: (first ?? 1) + index, at: instant(new Date(at)) })),
    }
  })

  serve(numberLine, async ({ caller, params, query }) => {
    const { job } = await jobFor(app, caller, 'read', params.id)
    const log = { job: job.reused_from ?? job.id, node: query.node ?? 0, step: params.index }
    return { line: await lineNumberAt(app, log, query.byte) }
  })

  serve(searchContract, async ({ caller, params, query, reply }) => {
    const { job } = await jobFor(app, caller, 'read', params.id)
    const search = { job: job.reused_from ?? job.id, node: query.node ?? 0, step: query.step, text: query.text }
    const { items, next } = await searchLogs(app, search, query['page-token'], goneSignal(reply))
    return { items: [...items], next_page_token: next }
  })

  serve(getFailures, async ({ caller, params }) => {
    const { stored } = await workflowFor(app, caller, 'read', params.id)
    const found = await failuresOf(app, stored.jobs)
    return {
      items: found.map(({ job, message, step, end, tests }) => ({
        job_id: job.id,
        name: job.name,
        status: jobWord[job.status as JobStatus],
        message,
        step: step
          ? {
              node: step.node,
              index: step.position,
              name: step.name,
              exit_code: step.exit_code,
              first_line: end === undefined ? 1 : (end.first ?? null),
              lines: [...(end?.lines ?? [])],
            }
          : null,
        failed_tests: tests.map(({ classname, name, file }) => ({ classname, name, file })),
      })),
    }
  })

  serve(listTests, async ({ caller, params, query }) => {
    const { job } = await jobFor(app, caller, 'read', params.id)
    const { items, next } = await jobTests(app, job, query['page-token'])
    const { total, failed, failures } = await testsAtAGlance(app, job)
    return {
      total,
      failed,
      failures: failures.map(({ test, output }) => ({ ...testView(test), output: output ?? null })),
      problems: [...(await testProblems(app, job))],
      items: items.map(testView),
      next_page_token: next,
    }
  })
  serve(getTestOutput, async ({ caller, params, query }) => {
    const { job } = await jobFor(app, caller, 'read', params.id)
    const text = await testOutput(app, job, query.place)
    if (text === undefined) throw new Refusal('not-found', 'Test output not found.')
    return { text }
  })
}
