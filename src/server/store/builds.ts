import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { literal } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

/*
 * Lists of builds. Numbers are dense in each project, so the place of a build in its project's list is known from its number;
 * every list below walks one index and reads the rows of one page.
 */

/** A build of a list, and its record where that is kept. */
export interface ListedBuild {
  readonly id: string
  readonly project_id: string
  readonly number: number
  readonly edition: number
  readonly stamp: string | null
  readonly kept_edition: number | null
  readonly cut: number | null
  readonly text: string | null
}

const shown = [
  'jobs.id',
  'jobs.project_id',
  'jobs.number',
  'jobs.edition',
  'build_texts.stamp',
  'build_texts.edition as kept_edition',
  'build_texts.cut',
  'build_texts.text',
] as const

/** Builds of a project, newest first; `offset` of them are passed over without being looked at. */
export const buildsOfProject = statement((db, at: { project: string; limit: number; offset: number }) =>
  db
    .selectFrom('jobs')
    .leftJoin('build_texts', 'build_texts.job_id', 'jobs.id')
    .select(shown)
    .where('jobs.project_id', '=', at.project)
    .where('jobs.number', '<=', (eb) =>
      eb
        .selectFrom('projects')
        .select(sql<number>`last_job - ${at.offset}`.as('first'))
        .where('id', '=', at.project),
    )
    .orderBy('jobs.number', 'desc')
    .limit(at.limit)
    .$narrowType<{ number: number }>(),
)

/** Builds of everything a user follows, newest first: of each project only as many as the page could hold are looked at. */
export const buildsFollowed = statement((db, at: { user: string; span: number; limit: number; offset: number }) =>
  db
    .selectFrom((page) =>
      page
        .selectFrom('follows')
        .innerJoin('projects', 'projects.id', 'follows.project_id')
        .innerJoin('jobs', (join) =>
          join
            .onRef('jobs.project_id', '=', 'projects.id')
            .on('jobs.number', '>', sql<number>`projects.last_job - ${at.span}`),
        )
        .select(['jobs.id', 'jobs.number', sql<string>`coalesce(jobs.queued_at, jobs.created_at)`.as('at')])
        .where('follows.user_id', '=', at.user)
        .orderBy('at', 'desc')
        .orderBy('jobs.number', 'desc')
        .limit(at.limit)
        .offset(at.offset)
        .as('page'),
    )
    .innerJoin('jobs', 'jobs.id', 'page.id')
    .leftJoin('build_texts', 'build_texts.job_id', 'jobs.id')
    .select(shown)
    .orderBy('page.at', 'desc')
    .orderBy('page.number', 'desc')
    .$narrowType<{ number: number }>(),
)

/** Builds of a branch, newest first. */
export const buildsOfBranch = statement((db, at: { project: string; branch: string; limit: number; offset: number }) =>
  db
    .selectFrom((page) =>
      page
        .selectFrom('jobs')
        .select(['number'])
        .where('project_id', '=', at.project)
        .where('branch', '=', at.branch)
        .where('number', '>', 0)
        .orderBy('number', 'desc')
        .limit(at.limit)
        .offset(at.offset)
        .as('page'),
    )
    .innerJoin('jobs', (join) => join.onRef('jobs.number', '=', 'page.number').on('jobs.project_id', '=', at.project))
    .leftJoin('build_texts', 'build_texts.job_id', 'jobs.id')
    .select(shown)
    .orderBy('page.number', 'desc')
    .$narrowType<{ number: number }>(),
)

/** A success without tests counts as no success. */
const tested = (eb: ExpressionBuilder<Schema, 'jobs'>) =>
  eb.or([eb('no_tests', '=', literal(0)), eb('status', '<>', literal('success'))])

/** The numbers of the newest builds that stand so. */
export const numbersBy = statement((db, at: { project: string; status: string; most: number }) =>
  db
    .selectFrom('jobs')
    .select('number')
    .where('project_id', '=', at.project)
    .where('status', '=', at.status)
    .where(tested)
    .where('number', '>', 0)
    .orderBy('number', 'desc')
    .limit(at.most),
)

/** The same of one branch. */
export const numbersOfBranchBy = statement(
  (db, at: { project: string; branch: string; status: string; most: number }) =>
    db
      .selectFrom('jobs')
      .select('number')
      .where('project_id', '=', at.project)
      .where('branch', '=', at.branch)
      .where('status', '=', at.status)
      .where(tested)
      .where('number', '>', 0)
      .orderBy('number', 'desc')
      .limit(at.most),
)

/** The numbers of all builds of a project that succeeded and had no test to run: few, and none where no configuration is of version 1.0. */
const numbersUntested = statement((db, at: { project: string; branch: string; most: number }) =>
  db
    .selectFrom('jobs')
    .select('number')
    .where('project_id', '=', at.project)
    .where('no_tests', '=', literal(1))
    .where('status', '=', literal('success'))
    .where(sql<boolean>`(${at.branch} = '' or branch = ${at.branch})`)
    .where('number', '>', 0)
    .orderBy('number', 'desc')
    .limit(at.most),
)

/** How a list of builds may be narrowed: by the status of jobs, and to those without tests. */
export type Standing = { readonly statuses: readonly string[]; readonly untested: boolean }

/** The numbers of a page of builds that stand in one of several ways, newest first: each way has its own index walk, as one over all of them would have to sort. */
export async function numbersStanding(
  db: Db,
  at: { readonly project: string; readonly branch?: string | undefined } & Standing,
  limit: number,
  offset: number,
): Promise<readonly number[]> {
  const { project, branch } = at
  const most = limit + offset
  const found = await Promise.all(
    at.statuses.map((status) =>
      branch === undefined
        ? numbersBy(db, { project, status, most })
        : numbersOfBranchBy(db, { project, branch, status, most }),
    ),
  )
  const untested = at.untested ? await numbersUntested(db, { project, branch: branch ?? '', most }) : []
  return [...found, untested]
    .flat()
    .map(({ number }) => number ?? 0)
    .toSorted((a, b) => b - a)
    .slice(offset, most)
}

/** Builds of a project by their numbers, newest first. */
export async function buildsNumbered(db: Db, project: string, numbers: readonly number[]): Promise<ListedBuild[]> {
  if (numbers.length === 0) return []
  return db
    .selectFrom('jobs')
    .leftJoin('build_texts', 'build_texts.job_id', 'jobs.id')
    .select(shown)
    .where('jobs.project_id', '=', project)
    .where('jobs.number', 'in', [...numbers])
    .orderBy('jobs.number', 'desc')
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

/** Keeps records; one that is there is replaced. */
export async function keepRecords(tx: Tx, rows: readonly KeptRecord[]): Promise<void> {
  for (const row of rows) await keep(tx, row)
}
