import { sql } from 'kysely'
import { gatherRuns } from '#core/insights/runs.ts'
import { addTotals, noTotals, type Totals, totalsOf } from '#core/insights/totals.ts'
import { dayOf, packedUntil, type Place, spoiledDays } from './packed-days.ts'
import { readRunFacts } from './pack-runs.ts'
import type { Db } from './schema.ts'
import { statementForOne } from './statement.ts'

interface Span {
  readonly from: number
  readonly to: number
}

const dayMs = 86_400_000
const sum = (column: string) => sql<number | null>`cast(sum(${sql.ref(column)}) as bigint)`

const packedSums = statementForOne((db, at: Place & Span) =>
  db
    .selectFrom('packed_runs')
    .select([
      sum('runs').as('total'),
      sum('successful').as('successful'),
      sum('failed').as('failed'),
      sum('canceled').as('canceled'),
      sum('duration').as('time'),
      sum('credits').as('credits'),
      sql<number | null>`min(first)`.as('first'),
      sql<number | null>`max(last)`.as('last'),
    ])
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('day', '>=', at.from)
    .where('day', '<', at.to)
    .where('columns', 'is not', null)
    .where('runs', '>', 0),
)

/** What the runs of a workflow that ended come to in a window: whole days from their sums, which are as exact as the runs, the rest from the runs. */
export async function readTotals(db: Db, place: Place, { from, to }: Span): Promise<Totals> {
  const whole = { from: dayOf(from - 1) + dayMs, to: Math.min(dayOf(to), await packedUntil(db, 'packed_runs', place)) }
  if (whole.from >= whole.to) return runTotals(db, place, [{ from, to }])
  const spoiled = (await spoiledDays(db, 'packed_runs', place)).filter(({ day }) => day >= whole.from && day < whole.to)
  const rest = await runTotals(db, place, [
    { from, to: whole.from },
    { from: whole.to, to },
    ...spoiled.map(({ day }) => ({ from: day, to: day + dayMs })),
  ])
  const sums = await packedSums(db, { ...place, ...whole })
  if (!sums || sums.total === null) return rest
  const number = (value: number | null) => Number(value ?? 0)
  return addTotals(rest, {
    total: number(sums.total),
    successful: number(sums.successful),
    failed: number(sums.failed),
    canceled: number(sums.canceled),
    time: number(sums.time),
    credits: number(sums.credits),
    first: number(sums.first),
    last: number(sums.last),
  })
}

async function runTotals(db: Db, place: Place, spans: readonly Span[]): Promise<Totals> {
  let totals = noTotals
  for (const span of spans) {
    if (span.from >= span.to) continue
    const gathering = gatherRuns()
    await readRunFacts(db, place, span, gathering)
    totals = addTotals(totals, totalsOf(gathering.all().runs))
  }
  return totals
}
