import { gatherJobs, type JobGathering } from '#core/insights/jobs.ts'
import { statusPlaces } from '#core/insights/runs.ts'
import { type PackedDay, packedIn, type Place } from './packed-days.ts'
import { countOf, fillRuns, wantedPlaces } from './packed-runs.ts'
import { packColumns, packedLength, unpackColumns } from './packing.ts'
import { type JobColumns, scanJobs } from './scan-facts.ts'
import type { Db, Tx } from './schema.ts'

const dayMs = 86_400_000
const none = new Uint32Array(0)

/** Takes in the builds of a workflow's runs that began from one instant up to another, and ended. */
export async function readJobFacts(
  db: Db,
  place: Place,
  window: { readonly from: number; readonly to: number },
  into: JobGathering,
): Promise<void> {
  const { days, gaps } = await packedIn(db, 'packed_jobs', place, window)
  into.reserve(packedLength(days, 9))
  for (const day of days) addDay(into, day, window)
  for (const gap of gaps) for await (const rows of scanJobs(db, { ...place, ...gap })) addRows(into, rows)
}

function addRows(into: JobGathering, of: JobColumns): void {
  for (let i = 0; i < of.started.length; i += 1) {
    const on = into.branchAt(of.branch[i] ?? '')
    if (on === -1) continue
    const status = statusPlaces.get(of.status[i] ?? '') ?? 0
    into.addRun(of.started[i] ?? 0, of.duration[i] ?? Number.NaN, of.credits[i] ?? 0, status, on)
    const [name, resourceClass] = [into.nameAt(of.name[i] ?? ''), into.classAt(of.resource_class[i] ?? '')]
    into.addJob(name, of.queued[i] ?? 0, resourceClass, of.nodes[i] ?? 1)
  }
}

interface Texts {
  readonly branches: readonly string[]
  readonly names: readonly string[]
  readonly classes: readonly string[]
}

function addDay(into: JobGathering, { day, texts, columns }: PackedDay, window: { from: number; to: number }): void {
  const known = JSON.parse(texts) as Texts
  const branches = known.branches.map(into.branchAt)
  const [names, classes] = [known.names.map(into.nameAt), known.classes.map(into.classAt)]
  const packed = unpackColumns(columns, 9)
  const places = wantedPlaces(packed, day, branches, window)
  const count = countOf(packed, places)
  const to = into.take(count)
  fillRuns(to.runs, packed, places, day, branches)
  const [name = none, queued = none, resourceClass = none, nodes = none] = packed.slice(5)
  for (let i = 0; i < count; i += 1) {
    const at = places ? (places[i] ?? 0) : i
    to.name[i] = names[name[at] ?? 0] ?? 0
    to.queued[i] = queued[at] ?? 0
    to.resourceClass[i] = classes[resourceClass[at] ?? 0] ?? 0
    to.nodes[i] = nodes[at] ?? 1
  }
}

/** Packs the builds of a workflow's runs that began in a day that is over; those of a day with too large a number stay as they are. */
export async function packJobs(tx: Tx, place: Place, day: number): Promise<void> {
  const gathering = gatherJobs()
  for await (const rows of scanJobs(tx, { ...place, from: day, to: day + dayMs })) addRows(gathering, rows)
  const { runs, name, names, queued, resourceClass, classes, nodes } = gathering.all()
  const { started, duration, credits, status, branch, branches } = runs
  const texts: Texts = { branches, names, classes }
  const row = {
    texts: JSON.stringify(texts),
    columns:
      packColumns([
        started.map((at) => at - day),
        duration,
        credits,
        status,
        branch,
        name,
        queued,
        resourceClass,
        nodes,
      ]) ?? null,
  }
  await tx
    .insertInto('packed_jobs')
    .values({ project_id: place.project, name: place.workflow, day, ...row })
    .onConflict((conflict) => conflict.columns(['project_id', 'name', 'day']).doUpdateSet(row))
    .execute()
}
