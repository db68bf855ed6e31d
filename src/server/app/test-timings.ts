import { projectById } from '#server/store/projects.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { jobById } from '#server/store/jobs.ts'
import { type TestedJob, testedJobs } from '#server/store/test-reports.ts'
import { testResultsAfter, type TestPlace, type TestResultRow } from '#server/store/test-results.ts'
import { remember } from './remember.ts'
import type { World } from './world.ts'

/** By what tests are put together when they are split. */
export type TimingType = 'filename' | 'classname' | 'testname'

export type Seconds = Readonly<Record<string, number>>

/** How far back we look for a run that was whole and good. */
const mostJobs = 10
const readAtOnce = 1_000
const partOf: Readonly<Record<TimingType, (row: TestResultRow) => string>> = {
  filename: (row) => row.file,
  classname: (row) => row.classname,
  testname: (row) => row.name,
}

/**
 * What the tests of a job took when they were last run: on the default branch, and elsewhere for what was never run there.
 * A run of only some tests, or one that failed, tells of what it ran; the last whole one before it tells of the rest.
 */
export function testTimings(world: World) {
  // Every node of a job asks the same question, and what was told of an ended job does not change.
  const known = remember<string, Seconds>(50)
  const asked = new Map<string, Promise<Seconds>>()

  async function timesOf(job: string, type: TimingType): Promise<Seconds> {
    const key = `${job} ${type}`
    const found = known.get(key)
    if (found) return found
    const asking = asked.get(key) ?? sumsOf(world, job, type).finally(() => asked.delete(key))
    asked.set(key, asking)
    return known.set(key, await asking)
  }

  return async function timings(lease: LeaseRow, type: TimingType): Promise<Seconds> {
    const job = await jobById(world.db, { id: lease.job_id })
    const project = await projectById(world.db, { id: lease.project_id })
    if (!job || !project) return {}
    const of = { project: project.id, name: job.name }
    const main = await testedJobs(world.db, { ...of, branch: project.default_branch }, mostJobs)
    const merged = new Map<string, number>()
    for (const { job: id } of [...upToWhole(main), ...upToWhole(await testedJobs(world.db, of, mostJobs))]) {
      for (const [unit, seconds] of Object.entries(await timesOf(id, type))) {
        if (!merged.has(unit)) merged.set(unit, seconds)
      }
    }
    return Object.fromEntries(merged)
  }
}

/** From the newest to the first that ran all tests to a good end. */
function upToWhole(jobs: readonly TestedJob[]): readonly TestedJob[] {
  const whole = jobs.findIndex(({ status, onlyFailed }) => status === 'success' && onlyFailed === 0)
  return whole === -1 ? jobs : jobs.slice(0, whole + 1)
}

/** Adds up in small steps: a job may have a hundred thousand tests, and others wait. */
async function sumsOf(world: World, job: string, type: TimingType): Promise<Seconds> {
  const sums = new Map<string, number>()
  let after: TestPlace | undefined
  for (;;) {
    const rows = await testResultsAfter(world.db, job, after, readAtOnce)
    for (const row of rows) {
      const unit = partOf[type](row)
      if (unit !== '') sums.set(unit, (sums.get(unit) ?? 0) + row.run_time)
    }
    if (rows.length < readAtOnce) return Object.fromEntries(sums)
    after = rows.at(-1)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
