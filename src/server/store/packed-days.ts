import { takeTurns } from './dialect.ts'
import type { Db, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

/*
 * Days in columns. All days of a workflow up to its last packed one are packed, or have nothing, or are spoiled: then, and after the last,
 * the facts themselves are read. So packing may be late, and never wrong.
 */

export type PackedTable = 'packed_runs' | 'packed_jobs'

/** A workflow of a project. */
export interface Place extends Readonly<Record<string, unknown>> {
  readonly project: string
  readonly workflow: string
}

/** From one instant up to another. */
interface Span {
  readonly from: number
  readonly to: number
}

const dayMs = 86_400_000
/** Ours among all that are named so. */
const packingLock = 7_220_116

/** When the day of an instant began, in UTC. */
export const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs

// Both tables have the columns that are named here.
const of = (table: PackedTable) => table as 'packed_jobs'

const statementsOf = (table: PackedTable) => ({
  last: statementForOne((db, at: Place) =>
    db
      .selectFrom(of(table))
      .select('day')
      .where('project_id', '=', at.project)
      .where('name', '=', at.workflow)
      .orderBy('day', 'desc')
      .limit(1),
  ),
  days: statement((db, at: Place & Span) =>
    db
      .selectFrom(of(table))
      .select(['day', 'texts', 'columns'])
      .where('project_id', '=', at.project)
      .where('name', '=', at.workflow)
      .where('day', '>=', at.from)
      .where('day', '<', at.to)
      .orderBy('day'),
  ),
  spoiled: statement((db, at: Place) =>
    db
      .selectFrom(of(table))
      .select('day')
      .where('project_id', '=', at.project)
      .where('name', '=', at.workflow)
      .where('columns', 'is', null)
      .orderBy('day'),
  ),
  spoil: statementForOne((db, at: Place & { day: number }) =>
    db
      .updateTable(of(table))
      .set({ columns: null })
      .where('project_id', '=', at.project)
      .where('name', '=', at.workflow)
      .where('day', '=', at.day)
      .returning('day'),
  ),
  forget: statement((db, at: Place & { before: number }) =>
    db
      .deleteFrom(of(table))
      .where('project_id', '=', at.project)
      .where('name', '=', at.workflow)
      .where('day', '<', at.before),
  ),
})

const statements = { packed_runs: statementsOf('packed_runs'), packed_jobs: statementsOf('packed_jobs') }

/** A day in columns. */
export interface PackedDay {
  readonly day: number
  readonly texts: string
  readonly columns: Uint8Array
}

/** What is packed of a window, and from when to when facts are to be read. */
export async function packedIn(
  db: Db,
  table: PackedTable,
  place: Place,
  { from, to }: Span,
): Promise<{ readonly days: readonly PackedDay[]; readonly gaps: readonly Span[] }> {
  const { project, workflow } = place
  const days: PackedDay[] = []
  const gaps: Span[] = []
  for (const { day, texts, columns } of await statements[table].days(db, {
    project,
    workflow,
    from: dayOf(from),
    to,
  })) {
    if (columns) days.push({ day, texts, columns })
    else gaps.push({ from: Math.max(day, from), to: Math.min(day + dayMs, to) })
  }
  const unpacked = Math.max(from, await packedUntil(db, table, place))
  if (unpacked < to) gaps.push({ from: unpacked, to })
  return { days, gaps }
}

/** From when on nothing is packed. */
export async function packedUntil(db: Db, table: PackedTable, place: Place): Promise<number> {
  const last = await statements[table].last(db, place)
  return last ? last.day + dayMs : 0
}

/** The days of a workflow whose facts are to be packed again. */
export const spoiledDays = (db: Db, table: PackedTable, place: Place) => statements[table].spoiled(db, place)

/** Lets one at a time pack days, or add to days that are over. */
export const takePackingTurn = (tx: Tx): Promise<void> => takeTurns(tx, packingLock)

/** Says that something was added to a day that is over. */
export async function spoilDay(tx: Tx, table: PackedTable, place: Place, at: number): Promise<void> {
  await takePackingTurn(tx)
  const day = dayOf(at)
  if (await statements[table].spoil(tx, { ...place, day })) return
  if (day >= (await packedUntil(tx, table, place))) return
  const empty = { project_id: place.project, name: place.workflow, day, texts: '{}', columns: null }
  const sums = { runs: 0, successful: 0, failed: 0, canceled: 0, duration: 0, credits: 0, first: 0, last: 0 }
  if (table === 'packed_jobs') await tx.insertInto(table).values(empty).execute()
  else
    await tx
      .insertInto(table)
      .values({ ...empty, ...sums })
      .execute()
}

/** Forgets the days of a workflow before a time. */
export const forgetDays = (tx: Tx, table: PackedTable, place: Place, before: number): Promise<unknown> =>
  statements[table].forget(tx, { ...place, before })
