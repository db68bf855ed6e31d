import { failedTestsOf, type TestResultRow } from '#server/store/test-results.ts'
import type { App } from './app.ts'
import type { JobRow } from './find.ts'
import { stepsFor, type StepRow } from './job-page.ts'
import { linesFrom, type SomeLines } from './log-lines.ts'

/** Why a job failed. */
export interface Failure {
  readonly job: JobRow
  readonly message: string
  readonly step: StepRow | undefined
  readonly end: SomeLines | undefined
  readonly tests: readonly TestResultRow[]
}

const failed: readonly string[] = ['failed', 'timedout', 'infrastructure_fail', 'unauthorized']
const badSteps: readonly string[] = ['failed', 'timedout']
const mostJobs = 20
const mostTests = 10
const lastLines = 12

/** Why the jobs of a workflow failed: of many, only the first are told. */
export async function failuresOf(app: App, jobs: readonly JobRow[]): Promise<readonly Failure[]> {
  const found: Failure[] = []
  for (const job of jobs.filter(({ status }) => failed.includes(status)).slice(0, mostJobs)) {
    const step = (await stepsFor(app, job)).find(({ status }) => badSteps.includes(status))
    const log = step && { job: step.job_id, node: step.node, step: step.position }
    const end = log && (await linesFrom(app, log, undefined, lastLines))
    const tests = await failedTestsOf(app.world.db, job.reused_from ?? job.id, mostTests)
    found.push({ job, message: sentence(job, step, tests.length), step, end, tests })
  }
  return found
}

function sentence(job: JobRow, step: StepRow | undefined, tests: number): string {
  const reason = job.reason ?? job.denied
  if (!step) return reason ?? 'It failed before its first step'
  const how = step.status === 'timedout' ? 'ran too long' : `ended with exit code ${step.exit_code ?? 'unknown'}`
  const where = job.parallelism > 1 ? ` on node ${step.node}` : ''
  const which =
    tests === 0
      ? ''
      : tests < mostTests
        ? `; ${tests} failed ${tests === 1 ? 'test' : 'tests'}`
        : `; ${mostTests} failed tests or more`
  return `Step “${step.name}”${where} ${how}${which}`
}
