import { type JobTest, listJobTests } from '#contract/v2/job.ts'
import type { App } from '#server/app/app.ts'
import { jobOf } from '#server/app/find.ts'
import { jobTests, type TestResultRow } from '#server/app/job-tests.ts'
import { projectFor } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'

/** Test results of generation 2. */
export function serveJobTests({ serve }: Serving, app: App): void {
  serve(listJobTests, async ({ caller, params, query }) => {
    const project = await projectFor(app.world, caller, 'read', params)
    const { job } = await jobOf(app, project, params.job_number)
    const { items, next } = await jobTests(app, job, query['page-token'])
    return { items: items.map(testView), next_page_token: next }
  })
}

/** A test result in the words of generation 2. */
export const testView = ({ message, source, run_time, file, result, name, classname }: TestResultRow): JobTest => ({
  message,
  source,
  run_time,
  file,
  result: result as JobTest['result'],
  name,
  classname,
})
