import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { literal } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

/*
 * Lists of builds. Numbers are dense in each project, so the place of a build in its project's list is known from its number;
 * every list below walks one index and reads the rows of one page.
 */

/** A build of a list: which it is, and what of its record is not out of date. */
export interface ListedBuild {
  readonly id: string
  readonly project_id: string
  readonly number: number
  readonly edition: number
}

/** What a list asks for of each build. */
export const listedColumns = ['jobs.id', 'jobs.project_id', 'jobs.number', 'jobs.edition'] as const

/** From which end a list is told: usually the newest come first. */
export type Order = 'asc' | 'desc'

/** The same statement for either end: which of them cannot be left to an argument, as it changes the text. */
export const both = <S>(make: (order: Order) => S): Readonly<Record<Order, S>> => ({
  asc: make('asc'),
  desc: make('desc'),
})

interface Page {
  readonly [field: string]: unknown
  readonly project: string
  readonly limit: number
  readonly offset: number
}

/** Builds of a project; `offset` of them are passed over without being looked at. */
export const buildsOfProject = both((order) =>
  statement((db, { project, limit, offset }: Page) => {
    const builds = db.selectFrom('jobs').select(listedColumns).where('jobs.project_id', '=', project)
    const last = (eb: ExpressionBuilder<Schema, 'jobs'>) =>
      eb
        .selectFrom('projects')
        .select(sql<number>`last_job - ${offset}`.as('first'))
        .where('id', '=', project)
    return (order === 'desc' ? builds.where('jobs.number', '<=', last) : builds.where('jobs.number', '>', offset))
      .orderBy('jobs.number', order)
      .limit(limit)
      .$narrowType<{ number: number }>()
  }),
)

/** Builds of a branch. */
export const buildsOfBranch = both((order) =>
  statement((db, { project, branch, limit, offset }: Page & { branch: string }) =>
    db
      .selectFrom((page) =>
        page
          .selectFrom('jobs')
          .select(['number'])
          .where('project_id', '=', project)
          .where('branch', '=', branch)
          .where('number', '>', 0)
          .orderBy('number', order)
          .limit(limit)
          .offset(offset)
          .as('page'),
      )
      .innerJoin('jobs', (join) => join.onRef('jobs.number', '=', 'page.number').on('jobs.project_id', '=', project))
      .select(listedColumns)
      .orderBy('page.number', order)
      .$narrowType<{ number: number }>(),
  ),
)

/** A success without tests counts as no success. */
const tested = (eb: ExpressionBuilder<Schema, 'jobs'>) =>
  eb.or([eb('no_tests', '=', literal(0)), eb('status', '<>', literal('success'))])

interface Standings {
  readonly [field: string]: unknown
  readonly project: string
  readonly status: string
  readonly most: number
}

/** The numbers of the first builds that stand so. */
export const numbersBy = both((order) =>
  statement((db, at: Standings) =>
    db
      .selectFrom('jobs')
      .select('number')
      .where('project_id', '=', at.project)
      .where('status', '=', at.status)
      .where(tested)
      .where('number', '>', 0)
      .orderBy('number', order)
      .limit(at.most),
  ),
)

/** The same of one branch. */
export const numbersOfBranchBy = both((order) =>
  statement((db, at: Standings & { branch: string }) =>
    db
      .selectFrom('jobs')
      .select('number')
      .where('project_id', '=', at.project)
      .where('branch', '=', at.branch)
      .where('status', '=', at.status)
      .where(tested)
      .where('number', '>', 0)
      .orderBy('number', order)
      .limit(at.most),
  ),
)

/** The numbers of all builds of a project that succeeded and had no test to run: few, and none where no configuration is of version 1.0. */
const numbersUntested = both((order) =>
  statement((db, at: { project: string; branch: string; most: number }) =>
    db
      .selectFrom('jobs')
      .select('number')
      .where('project_id', '=', at.project)
      .where('no_tests', '=', literal(1))
      .where('status', '=', literal('success'))
      .where(sql<boolean>`(${at.branch} = '' or branch = ${at.branch})`)
      .where('number', '>', 0)
      .orderBy('number', order)
      .limit(at.most),
  ),
)

/** How a list of builds may be narrowed: by the status of jobs, and to those without tests. */
export type Standing = { readonly statuses: readonly string[]; readonly untested: boolean }

/** The numbers of a page of builds that stand in one of several ways: each way has its own index walk, as one over all of them would have to sort. */
export async function numbersStanding(
  db: Db,
  at: { readonly project: string; readonly branch?: string | undefined; readonly order: Order } & Standing,
  limit: number,
  offset: number,
): Promise<readonly number[]> {
  const { project, branch, order } = at
  const most = limit + offset
  const found = await Promise.all(
    at.statuses.map((status) =>
      branch === undefined
        ? numbersBy[order](db, { project, status, most })
        : numbersOfBranchBy[order](db, { project, branch, status, most }),
    ),
  )
  const untested = at.untested ? await numbersUntested[order](db, { project, branch: branch ?? '', most }) : []
  return [...found, untested]
    .flat()
    .map(({ number }) => number ?? 0)
    .toSorted((a, b) => (order === 'asc' ? a - b : b - a))
    .slice(offset, most)
}

/** Builds of a project by their numbers. */
export async function buildsNumbered(
  db: Db,
  project: string,
  numbers: readonly number[],
  order: Order,
): Promise<ListedBuild[]> {
  if (numbers.length === 0) return []
  return db
    .selectFrom('jobs')
    .select(listedColumns)
    .where('jobs.project_id', '=', project)
    .where('jobs.number', 'in', [...numbers])
    .orderBy('jobs.number', order)
    .$narrowType<{ number: number }>()
    .execute()
}

/** A record as it is kept. */
export type KeptRecord = Selectable<Schema['build_texts']>

const keep = statement((db, row: KeptRecord) =>
  db
    .insertInto('build_texts')
    .values({ job_id: row.job_id, stamp: row.stamp, edition: row.edition, cut: row.cut, text: row.text })
    .onConflict((conflict) =>
      conflict.column('job_id').doUpdateSet({ stamp: row.stamp, edition: row.edition, cut: row.cut, text: row.text }),
    ),
)

/** The records that are kept of some builds, by their ids. */
export async function keptRecords(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, KeptRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('build_texts')
    .selectAll()
    .where('job_id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.job_id, row]))
}

/** Keeps records; one that is there is replaced. */
export async function keepRecords(tx: Tx, rows: readonly KeptRecord[]): Promise<void> {
  for (const row of rows) await keep(tx, row)
}
