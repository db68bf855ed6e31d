import { orNotFound, Refusal } from '#kit/refusal.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import {
  type HistoryPlace,
  historyBefore,
  quarantine,
  quarantinedAfter,
  quarantinedTest,
  type QuarantineRow,
  release,
} from '#server/store/quarantine.ts'
import { testsOfJob } from '#server/store/test-facts.ts'
import { testedJobs } from '#server/store/test-reports.ts'
import type { App } from '#server/app/app.ts'
import type { PageOf } from '#server/app/lists.ts'
import { testKey } from '#server/app/store-tests.ts'
import type { World } from '#server/app/world.ts'

export type { QuarantineRow }

/** A test as people name it; what is left out is empty. */
export interface TestName {
  readonly name: string
  readonly classname?: string
  readonly file?: string
}

const whole = ({ name, classname = '', file = '' }: TestName) => ({ name, classname, file })

/** A list of a team is no database of tests. */
const mostQuarantined = 10_000
const pageSize = 100

/** The tests of a project in quarantine. */
export async function listQuarantine({ world }: App, project: ProjectRow, after = ''): Promise<PageOf<QuarantineRow>> {
  const rows = await quarantinedAfter(world.db, { project: project.id, after, most: pageSize + 1 })
  const items = rows.slice(0, pageSize)
  return { items, next: rows.length > pageSize ? (items.at(-1)?.test_key ?? null) : null }
}

/** Puts a test into quarantine; one that is there already gets the new reason. */
export async function quarantineTest(
  world: World,
  project: ProjectRow,
  by: string | null,
  named: TestName,
  reason: string,
): Promise<QuarantineRow> {
  const test = whole(named)
  const key = testKey(project.id, test)
  return world.db.transaction().execute(async (tx) => {
    const all = await quarantinedAfter(tx, { project: project.id, after: '', most: mostQuarantined })
    if (all.length === mostQuarantined)
      throw new Refusal('conflict', `Cannot put the test into quarantine as there must be at most ${mostQuarantined}`)
    const row = { project_id: project.id, test_key: key, ...test, reason, created_by: by, created_at: world.now() }
    await quarantine(tx, row)
    return orNotFound(await quarantinedTest(tx, { project: project.id, key }), 'Test')
  })
}

/** Takes a test out of quarantine. */
export async function releaseTest(world: World, project: ProjectRow, named: TestName): Promise<void> {
  const key = testKey(project.id, whole(named))
  const wasThere = await world.db.transaction().execute((tx) => release(tx, project.id, key))
  if (!wasThere) throw new Refusal('not-found', 'Test not found.')
}

/** The results of one test, newest first. */
export async function testHistory({ world }: App, project: ProjectRow, named: TestName, after?: string) {
  const key = testKey(project.id, whole(named))
  const place = after === undefined ? undefined : (JSON.parse(after) as HistoryPlace)
  const rows = await historyBefore(world.db, key, place, pageSize + 1)
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  const next =
    last && rows.length > pageSize
      ? JSON.stringify({ recordedAt: last.recorded_at, job: last.job_id, position: last.position })
      : null
  return { items, next }
}

export const isQuarantined = async ({ world }: App, project: ProjectRow, named: TestName): Promise<boolean> =>
  (await quarantinedTest(world.db, { project: project.id, key: testKey(project.id, whole(named)) })) !== undefined

/** Files, classes and names of tests. */
export interface TestUnits {
  readonly filename: readonly string[]
  readonly classname: readonly string[]
  readonly testname: readonly string[]
}

/** What a job may leave out: files, classes and names in which every test that the last run of this job brought is in quarantine. */
export async function unitsInQuarantine(world: World, lease: LeaseRow): Promise<TestUnits> {
  const project = lease.project_id
  const listed = await quarantinedAfter(world.db, { project, after: '', most: mostQuarantined })
  const job = listed.length > 0 ? await jobById(world.db, { id: lease.job_id }) : undefined
  const [last] = job ? await testedJobs(world.db, { project, name: job.name }, 1) : []
  const keys = new Set(listed.map((row) => row.test_key))
  const units = { filename: new Map<string, boolean>(), classname: new Map(), testname: new Map() }
  const note = (unit: Map<string, boolean>, name: string, isListed: boolean) =>
    void unit.set(name, isListed && (unit.get(name) ?? true))
  const noteAll = (test: { file: string; classname: string; name: string }, isListed: boolean) => {
    note(units.filename, test.file, isListed)
    note(units.classname, test.classname, isListed)
    note(units.testname, test.name, isListed)
  }
  // What was left out of the last run is not in it: it stays out as long as it is in quarantine.
  for (const row of listed) noteAll(row, true)
  if (last) for await (const row of testsOfJob(world.db, last.job)) noteAll(row, keys.has(row.test_key))
  return { filename: named(units.filename), classname: named(units.classname), testname: named(units.testname) }
}

const named = (units: ReadonlyMap<string, boolean>): readonly string[] =>
  [...units].flatMap(([name, all]) => (all && name !== '' ? [name] : []))
