import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { firstJob, firstRun } from './first-facts.ts'
import { forgetDays, takePackingTurn } from './packed-days.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type RunDayRow = Selectable<Schema['run_days']>

const dayMs = 86_400_000

interface Range extends Readonly<Record<string, unknown>> {
  readonly project: string
  readonly workflow: string
  readonly from: number
  readonly to: number
}

const count = (status: string) => sql<number>`sum(case when status = ${sql.lit(status)} then 1 else 0 end)`

/** What the runs of a range come to, by day and branch. */
const sumUp = statement((db, at: Range) =>
  db
    .selectFrom('run_facts')
    .select(['project_id', 'name', 'branch'])
    .select([
      sql<number>`started - started % ${sql.lit(dayMs)}`.as('day'),
      sql<number>`count(*)`.as('runs'),
      count('success').as('successful'),
      count('failed').as('failed'),
      count('canceled').as('canceled'),
      sql<number>`cast(sum(duration) as bigint)`.as('duration'),
      sql<number>`cast(sum(credits) as bigint)`.as('credits'),
    ])
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to)
    .groupBy(['project_id', 'name', 'branch', sql`started - started % ${sql.lit(dayMs)}`]),
)

const keep = statement((db, row: RunDayRow) =>
  db
    .insertInto('run_days')
    .values({
      project_id: row.project_id,
      name: row.name,
      branch: row.branch,
      day: row.day,
      runs: row.runs,
      successful: row.successful,
      failed: row.failed,
      canceled: row.canceled,
      duration: row.duration,
      credits: row.credits,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'name', 'day', 'branch']).doUpdateSet((eb) => ({
        runs: eb('run_days.runs', '+', eb.ref('excluded.runs')),
        successful: eb('run_days.successful', '+', eb.ref('excluded.successful')),
        failed: eb('run_days.failed', '+', eb.ref('excluded.failed')),
        canceled: eb('run_days.canceled', '+', eb.ref('excluded.canceled')),
        duration: eb('run_days.duration', '+', eb.ref('excluded.duration')),
        credits: eb('run_days.credits', '+', eb.ref('excluded.credits')),
      })),
    ),
)

/** Turns the first day of a workflow's runs, if it is over before then, into sums; says whether there was one. */
export async function foldRuns(tx: Tx, project: string, workflow: string, before: number): Promise<boolean> {
  const first = await firstRun(tx, { project, workflow, from: 0 })
  if (!first || first.started >= before) return false
  const from = first.started - (first.started % dayMs)
  const to = Math.min(from + dayMs, before)
  for (const row of await sumUp(tx, { project, workflow, from, to })) await keep(tx, numbers(row))
  await tx
    .deleteFrom('run_facts')
    .where('project_id', '=', project)
    .where('name', '=', workflow)
    .where('started', '<', to)
    .execute()
  await takePackingTurn(tx)
  await forgetDays(tx, 'packed_runs', { project, workflow }, to)
  return true
}

/** Forgets the first day of a workflow's builds, if it is over before then; says whether there was one. */
export async function forgetJobs(tx: Tx, project: string, workflow: string, before: number): Promise<boolean> {
  const first = await firstJob(tx, { project, workflow, from: 0 })
  if (!first || first.started >= before) return false
  const to = Math.min(first.started - (first.started % dayMs) + dayMs, before)
  await tx
    .deleteFrom('job_facts')
    .where('project_id', '=', project)
    .where('workflow', '=', workflow)
    .where('started', '<', to)
    .execute()
  await takePackingTurn(tx)
  await forgetDays(tx, 'packed_jobs', { project, workflow }, to)
  return true
}

const foldedDays = statement((db, at: { project: string; workflow: string; before: number; most: number }) =>
  db
    .selectFrom('run_days')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('day', '<', at.before)
    .orderBy('day', 'desc')
    .orderBy('branch')
    .limit(at.most),
)

const lastRunBefore = statementForOne((db, at: { project: string; workflow: string; before: number }) =>
  db
    .selectFrom('run_facts')
    .select('started')
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('started', '<', at.before)
    .orderBy('started', 'desc')
    .limit(1),
)

/** The newest day before then on which a workflow ran, by branch: from its runs, and from what was kept of them. */
export async function dayBefore(db: Db, project: string, workflow: string, before: number): Promise<RunDayRow[]> {
  const run = await lastRunBefore(db, { project, workflow, before })
  const [folded] = await foldedDays(db, { project, workflow, before, most: 1 })
  const runDay = run && run.started - (run.started % dayMs)
  const day = Math.max(runDay ?? -1, folded?.day ?? -1)
  if (day < 0) return []
  const fresh = (await sumUp(db, { project, workflow, from: day, to: day + dayMs })).map(numbers)
  const old = (await foldedDays(db, { project, workflow, before: day + 1, most: mostBranches })).filter(
    (row) => row.day === day,
  )
  return merge([...fresh, ...old])
}

const mostBranches = 5_000

/** The day on which runs are being forgotten lies in both tables. */
function merge(rows: readonly RunDayRow[]): RunDayRow[] {
  const byBranch = new Map<string, RunDayRow>()
  for (const row of rows) {
    const known = byBranch.get(row.branch)
    byBranch.set(row.branch, known ? add(known, row) : row)
  }
  return [...byBranch.values()].toSorted((a, b) => (a.branch < b.branch ? -1 : 1))
}

const add = (a: RunDayRow, b: RunDayRow): RunDayRow => ({
  ...a,
  runs: a.runs + b.runs,
  successful: a.successful + b.successful,
  failed: a.failed + b.failed,
  canceled: a.canceled + b.canceled,
  duration: a.duration + b.duration,
  credits: a.credits + b.credits,
})

/** Sums may come as texts. */
const numbers = (row: RunDayRow): RunDayRow => ({
  ...row,
  day: Number(row.day),
  runs: Number(row.runs),
  successful: Number(row.successful),
  failed: Number(row.failed),
  canceled: Number(row.canceled),
  duration: Number(row.duration),
  credits: Number(row.credits),
})
