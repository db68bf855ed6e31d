import { dayMs, hourMs } from '#core/insights/window.ts'
import { jobWorkflowNames, workflowNames } from '#server/store/fact-names.ts'
import { firstJob, firstRun } from '#server/store/first-facts.ts'
import { packJobs } from '#server/store/pack-jobs.ts'
import { packRuns } from '#server/store/pack-runs.ts'
import {
  dayOf,
  type PackedTable,
  packedUntil,
  type Place,
  spoiledDays,
  takePackingTurn,
} from '#server/store/packed-days.ts'
import { allProjects } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import type { World } from '#server/app/world.ts'

/** How the facts of one kind are packed. */
interface Kind {
  readonly table: PackedTable
  readonly names: typeof workflowNames
  readonly first: typeof firstRun
  readonly pack: (tx: Tx, place: Place, day: number) => Promise<void>
}

const kinds: readonly Kind[] = [
  { table: 'packed_runs', names: workflowNames, first: firstRun, pack: packRuns },
  { table: 'packed_jobs', names: jobWorkflowNames, first: firstJob, pack: packJobs },
]

/** Packs the facts of the days that are over: a day of a workflow at a time, so that nobody waits. */
export async function packDays(world: World, signal?: AbortSignal): Promise<void> {
  // An hour later: clocks of servers differ, and what began to end before midnight may be kept after it.
  const today = dayOf(Date.parse(world.now()) - hourMs)
  for (const { id: project } of await allProjects(world.db)) {
    for (const { table, names, first, pack } of kinds) {
      for (const workflow of await names(world.db, project)) {
        const place = { project, workflow }
        const packOne = (day: number) =>
          world.db.transaction().execute(async (tx) => {
            await takePackingTurn(tx)
            await pack(tx, place, day)
          })
        for (const { day } of await spoiledDays(world.db, table, place)) await packOne(day)
        // One after another from the last: what lies before the last packed day counts as packed.
        for (let from = await packedUntil(world.db, table, place); ;) {
          if (signal?.aborted) return
          const next = await first(world.db, { ...place, from })
          if (!next || next.started >= today) break
          const day = dayOf(next.started)
          await packOne(day)
          from = day + dayMs
        }
      }
    }
  }
}
