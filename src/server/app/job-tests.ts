import { testOutputAt, testOutputsOf } from '#server/store/test-outputs.ts'
import { type TestReportRow, testReportsOf } from '#server/store/test-reports.ts'
import { failedTestsOf, testResultsAfter, type TestPlace, type TestResultRow } from '#server/store/test-results.ts'
import type { App } from './app.ts'
import type { JobRow } from './find.ts'
import type { PageOf } from './lists.ts'

export type { TestResultRow }

/** A job with more test data than this shows none of it. */
const mostBytes = 250 * 1000 * 1000
const pageSize = 20
/** Read at once when all are wanted: a few milliseconds, in which nobody else is served. */
const readAtOnce = 1_000

/** A page of the test results of a job, in the order in which its nodes told them. */
export async function jobTests(app: App, job: JobRow, token: string | undefined): Promise<PageOf<TestResultRow>> {
  const list = `tests:${job.id}`
  const page = app.cursors.read(list, token, {})
  const from = ranAs(job)
  if (isTooMuch(await testReportsOf(app.world.db, { job: from }))) return { items: [], next: null }
  const rows = await testResultsAfter(app.world.db, from, page && toPlace(page.after), pageSize + 1)
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  const next = rows.length > pageSize && last ? app.cursors.write(list, { after: toText(last), filter: {} }) : null
  return { items: shown, next }
}

/** All test results of a job, some at a time, so that others are served in between. */
export async function* allTests(app: App, job: JobRow): AsyncGenerator<readonly TestResultRow[]> {
  const from = ranAs(job)
  if (isTooMuch(await testReportsOf(app.world.db, { job: from }))) return
  let after: TestPlace | undefined
  for (;;) {
    const rows = await testResultsAfter(app.world.db, from, after, readAtOnce)
    if (rows.length > 0) yield rows
    if (rows.length < readAtOnce) return
    after = rows.at(-1)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** What could not be read of the test results of a job. */
export async function testProblems(app: App, job: JobRow): Promise<readonly string[]> {
  const reports = await testReportsOf(app.world.db, { job: ranAs(job) })
  return reports.flatMap(({ problems }) => JSON.parse(problems) as string[])
}

/** The job whose results these are: one that was carried over into a rerun has those of the job that ran. */
const ranAs = (job: JobRow): string => job.reused_from ?? job.id

const isTooMuch = (reports: readonly TestReportRow[]): boolean =>
  reports.reduce((sum, { bytes }) => sum + bytes, 0) > mostBytes

const toText = ({ node, step, position }: TestPlace): string => `${node} ${step} ${position}`

function toPlace(text: string): TestPlace {
  const [node = 0, step = 0, position = 0] = text.split(' ').map(Number)
  return { node, step, position }
}

const mostFailures = 300

/** How many tests a job had, and those that did not pass. */
export async function testsAtAGlance({ world }: App, job: JobRow) {
  const reports = await testReportsOf(world.db, { job: ranAs(job) })
  const sum = (of: (report: TestReportRow) => number) => reports.reduce((total, report) => total + of(report), 0)
  const failed = sum(({ failures }) => failures)
  const failures = failed === 0 ? [] : await failedTestsOf(world.db, ranAs(job), mostFailures)
  const printed = new Set(failed === 0 ? [] : (await testOutputsOf(world.db, { job: ranAs(job) })).map(toText))
  return {
    total: sum(({ tests }) => tests),
    failed,
    failures: failures.map((test) => {
      const place = toText(test)
      return { test, output: printed.has(place) ? place : undefined }
    }),
  }
}

/** What a failed test of a job printed, by the place that was told with it. */
export async function testOutput({ world }: App, job: JobRow, place: string): Promise<string | undefined> {
  return (await testOutputAt(world.db, { job: ranAs(job), ...toPlace(place) }))?.output
}
