import type { Selectable } from 'kysely'
import { hasRowLocks } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

export type TestResultRow = Selectable<Schema['test_results']>

const columns = [
  'job_id',
  'node',
  'step',
  'position',
  'project_id',
  'workflow_id',
  'branch',
  'revision',
  'test_key',
  'classname',
  'name',
  'file',
  'source',
  'result',
  'message',
  'run_time',
  'recorded_at',
] as const satisfies readonly (keyof TestResultRow)[]

type Values = Readonly<Record<string, unknown>>

/** The values of one row, each named by its column and what comes after it: `name3`. */
const named = (values: Values, after: number | '') =>
  Object.fromEntries(columns.map((column) => [column, values[column + after]])) as unknown as TestResultRow

const insertOne = statement((db, row: TestResultRow & Values) => db.insertInto('test_results').values(named(row, '')))

/** Over a network so many rows go in one statement: fewer answers to wait for. */
const together = 50
const insertMany = statement((db, values: Values) =>
  db.insertInto('test_results').values(Array.from({ length: together }, (_, i) => named(values, i))),
)

/** Whoever only reads has a turn after so long. A result takes some 30 microseconds, or a hundred times that where the pages of an index lie on the disk. */
const turnMs = 3

/** Writes test results. */
export async function insertTestResults(tx: Tx, rows: readonly TestResultRow[]): Promise<void> {
  const whole = hasRowLocks(tx) ? rows.length - (rows.length % together) : 0
  for (let at = 0; at < whole; at += together) await insertMany(tx, valuesOf(rows.slice(at, at + together)))
  let since = performance.now()
  for (const row of rows.slice(whole)) {
    await insertOne(tx, row)
    if (performance.now() - since < turnMs) continue
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}

function valuesOf(rows: readonly TestResultRow[]): Values {
  const values: Record<string, unknown> = {}
  for (const [i, row] of rows.entries()) for (const column of columns) values[column + String(i)] = row[column]
  return values
}

/** Where in the results of a job somebody is. */
export interface TestPlace {
  readonly node: number
  readonly step: number
  readonly position: number
}

const nextOf = statement((db, at: { job: string; node: number; step: number; position: number; most: number }) =>
  db
    .selectFrom('test_results')
    .selectAll()
    .where('job_id', '=', at.job)
    .where((eb) => eb(eb.refTuple('node', 'step', 'position'), '>', eb.tuple(at.node, at.step, at.position)))
    .orderBy('node')
    .orderBy('step')
    .orderBy('position')
    .limit(at.most),
)

/** The results of a job after a place, in order. */
export const testResultsAfter = (db: Db, job: string, after: TestPlace | undefined, most: number) =>
  nextOf(db, { job, ...(after ?? beforeAll), most })

/** Before the first result of any job. */
export const beforeAll: TestPlace = { node: 0, step: 0, position: -1 }

/** The tests of a job that did not pass. */
export const failedTestsOf = (db: Db, job: string, most: number): Promise<TestResultRow[]> =>
  db
    .selectFrom('test_results')
    .selectAll()
    .where('job_id', '=', job)
    .where('result', 'in', ['failure', 'error'])
    .orderBy('node')
    .orderBy('step')
    .orderBy('position')
    .limit(most)
    .execute()
