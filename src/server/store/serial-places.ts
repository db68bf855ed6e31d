import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type PlaceRow = Selectable<Schema['serial_places']>

/** Puts a lock at the end of its line. */
export const insertPlace = statement((db, row: PlaceRow) =>
  db.insertInto('serial_places').values({
    job_id: row.job_id,
    workflow_id: row.workflow_id,
    project_id: row.project_id,
    organization_id: row.organization_id,
    serial_key: row.serial_key,
    pipeline_number: row.pipeline_number,
    arrived: row.arrived,
    since: row.since,
    held_at: row.held_at,
  }),
)

/** Takes a lock out of its line, or lets go of what it holds. */
export const deletePlace = statement((db, { job }: { job: string }) =>
  db.deleteFrom('serial_places').where('job_id', '=', job),
)

export const placeOf = statementForOne((db, { job }: { job: string }) =>
  db.selectFrom('serial_places').selectAll().where('job_id', '=', job),
)

/** The whole line before a serial group, the holder first where there is one. */
export async function lineOf(db: Db, organization: string, key: string): Promise<PlaceRow[]> {
  const rows = await db
    .selectFrom('serial_places')
    .selectAll()
    .where('organization_id', '=', organization)
    .where('serial_key', '=', key)
    .orderBy('arrived')
    .execute()
  return rows.toSorted((a, b) => Number(a.held_at === null) - Number(b.held_at === null))
}

type Places = ExpressionBuilder<Schema & { place: Schema['serial_places'] }, 'place'>

const others = (eb: Places) =>
  eb
    .selectFrom('serial_places as other')
    .select('other.job_id')
    .whereRef('other.organization_id', '=', 'place.organization_id')
    .whereRef('other.serial_key', '=', 'place.serial_key')

const waiting = (db: Db, most: number) =>
  db
    .selectFrom('serial_places as place')
    .selectAll('place')
    .where('place.held_at', 'is', null)
    .orderBy('place.arrived')
    .limit(most)

/** The first in each line whose serial group nobody holds. */
export const firstInLine = (db: Db, most: number): Promise<PlaceRow[]> =>
  waiting(db, most)
    .where((eb) => eb.not(eb.exists(others(eb).where('other.held_at', 'is not', null))))
    .where((eb) =>
      eb.not(eb.exists(others(eb).where('other.held_at', 'is', null).whereRef('other.arrived', '<', 'place.arrived'))),
    )
    .execute()

/** Those that came after one of a newer pipeline of their own project. */
export const overtaken = (db: Db, most: number): Promise<PlaceRow[]> =>
  waiting(db, most)
    .where((eb) =>
      eb.exists(
        others(eb)
          .whereRef('other.project_id', '=', 'place.project_id')
          .whereRef('other.arrived', '<', 'place.arrived')
          .whereRef('other.pipeline_number', '>', 'place.pipeline_number'),
      ),
    )
    .execute()

/** Those that have waited since before `since`. */
export const waitingSince = (db: Db, since: string, most: number): Promise<PlaceRow[]> =>
  waiting(db, most).where('place.since', '<=', since).execute()

/** Notes that a lock holds its serial group. Two at once cannot: the second of them fails. */
export async function holdPlace(tx: Tx, job: string, at: string): Promise<void> {
  await tx.updateTable('serial_places').set({ held_at: at }).where('job_id', '=', job).execute()
}

/** The places of the locks of a workflow. */
export const placesOfWorkflow = (db: Db, workflow: string): Promise<PlaceRow[]> =>
  db.selectFrom('serial_places').selectAll().where('workflow_id', '=', workflow).orderBy('arrived').execute()
