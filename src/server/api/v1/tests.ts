import * as contract from '#contract/v1/tests.ts'
import type { App } from '#server/app/app.ts'
import { jobOf } from '#server/app/find.ts'
import { allTests, testProblems, type TestResultRow } from '#server/app/job-tests.ts'
import { projectFor } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'
import { longList } from './long-list.ts'
import { projectName } from './project-name.ts'

/** Test results of generation 1.1. */
export function serveTests({ serve }: Serving, app: App): void {
  serve(contract.listTests, async ({ caller, params }) => {
    const project = await projectFor(app.world, caller, 'read', projectName(params))
    const { job } = await jobOf(app, project, params.build_num, 'Build')
    return longList('tests', views(allTests(app, job)), async () => {
      const problems = await testProblems(app, job)
      return { exceptions: problems.length === 0 ? null : problems }
    })
  })
}

async function* views(all: AsyncIterable<readonly TestResultRow[]>): AsyncGenerator<readonly contract.TestMetadata[]> {
  for await (const rows of all) yield rows.map(testView)
}

const testView = (row: TestResultRow): contract.TestMetadata => ({
  message: row.message || null,
  file: row.file || null,
  source: row.source,
  source_type: row.source,
  run_time: row.run_time,
  result: row.result as contract.TestMetadata['result'],
  name: row.name,
  classname: row.classname || null,
})
