import { type Gathering, gatherRuns, statusPlaces } from '#core/insights/runs.ts'
import { totalsOf } from '#core/insights/totals.ts'
import { type PackedDay, packedIn, type Place } from './packed-days.ts'
import { countOf, fillRuns, wantedPlaces } from './packed-runs.ts'
import { packColumns, packedLength, unpackColumns } from './packing.ts'
import { type RunColumns, scanRuns } from './scan-facts.ts'
import type { Db, Tx } from './schema.ts'

const dayMs = 86_400_000

/** Takes in the runs of a workflow that began from one instant up to another, and ended. */
export async function readRunFacts(
  db: Db,
  place: Place,
  window: { readonly from: number; readonly to: number },
  into: Gathering,
): Promise<void> {
  const { days, gaps } = await packedIn(db, 'packed_runs', place, window)
  into.reserve(packedLength(days, 5))
  for (const day of days) addDay(into, day, window)
  for (const gap of gaps) for await (const rows of scanRuns(db, { ...place, ...gap })) addRows(into, rows)
}

function addRows(into: Gathering, { started, duration, credits, status, branch }: RunColumns): void {
  for (let i = 0; i < started.length; i += 1) {
    const on = into.branchAt(branch[i] ?? '')
    if (on === -1) continue
    into.add(started[i] ?? 0, duration[i] ?? 0, credits[i] ?? 0, statusPlaces.get(status[i] ?? '') ?? 0, on)
  }
}

interface Texts {
  readonly branches: readonly string[]
}

function addDay(into: Gathering, { day, texts, columns }: PackedDay, window: { from: number; to: number }): void {
  const branches = (JSON.parse(texts) as Texts).branches.map(into.branchAt)
  const packed = unpackColumns(columns, 5)
  const places = wantedPlaces(packed, day, branches, window)
  fillRuns(into.take(countOf(packed, places)), packed, places, day, branches)
}

/** Packs the runs of a workflow that began in a day that is over; those of a day with too large a number stay as they are. */
export async function packRuns(tx: Tx, place: Place, day: number): Promise<void> {
  const gathering = gatherRuns()
  for await (const rows of scanRuns(tx, { ...place, from: day, to: day + dayMs })) addRows(gathering, rows)
  const { runs } = gathering.all()
  const { total, successful, failed, canceled, time, credits, first, last } = totalsOf(runs)
  const columns = packColumns([
    runs.started.map((at) => at - day),
    runs.duration,
    runs.credits,
    runs.status,
    runs.branch,
  ])
  const texts: Texts = { branches: runs.branches }
  const row = {
    runs: total,
    successful,
    failed,
    canceled,
    duration: time,
    credits,
    first: total === 0 ? 0 : first,
    last: total === 0 ? 0 : last,
    texts: JSON.stringify(texts),
    columns: columns ?? null,
  }
  await tx
    .insertInto('packed_runs')
    .values({ project_id: place.project, name: place.workflow, day, ...row })
    .onConflict((conflict) => conflict.columns(['project_id', 'name', 'day']).doUpdateSet(row))
    .execute()
}
