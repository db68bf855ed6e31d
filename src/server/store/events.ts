import { hash } from 'node:crypto'
import type { EventId } from '#core/ids.ts'
import type { WorkflowEvent } from '#core/workflow.ts'
import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'
import type { WorkflowRow } from './workflows.ts'

export type EventRow = Selectable<Schema['events']>
type Told = Extract<WorkflowEvent, { readonly type: 'job-completed' | 'workflow-completed' }>

const isTold = (event: WorkflowEvent): event is Told =>
  event.type === 'job-completed' || event.type === 'workflow-completed'

const insert = statement((db, row: EventRow) =>
  db.insertInto('events').values({
    id: row.id,
    sequence: row.sequence,
    kind: row.kind,
    project_id: row.project_id,
    pipeline_id: row.pipeline_id,
    workflow_id: row.workflow_id,
    job_id: row.job_id,
    status: row.status,
    created_at: row.created_at,
    dispatched_at: null,
  }),
)

/** The outbox: what happened, written in the transaction in which it happened. The id comes from the thing itself: nothing completes twice. */
export async function appendEvents(
  tx: Tx,
  workflow: WorkflowRow,
  events: readonly WorkflowEvent[],
  newId: () => string,
): Promise<void> {
  for (const event of events) {
    if (!isTold(event)) continue
    const job = event.type === 'job-completed' ? event.job : null
    await insert(tx, {
      id: eventId(event.type, job ?? workflow.id),
      sequence: newId(),
      kind: event.type,
      project_id: workflow.project_id,
      pipeline_id: workflow.pipeline_id,
      workflow_id: workflow.id,
      job_id: job,
      status: event.status,
      created_at: event.at,
      dispatched_at: null,
    })
  }
}

/** A name-based UUID: the same event has the same id in every attempt to tell it. */
function eventId(kind: string, subject: string): EventId {
  const digest = hash('sha256', `roundhouse:${kind}:${subject}`)
  const variant = ((Number.parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(18, 20)}-${digest.slice(20, 32)}` as EventId
}

const waiting = statement((db, { most }: { most: number }) =>
  db.selectFrom('events').selectAll().where('dispatched_at', 'is', null).orderBy('sequence').limit(most),
)

/** What nobody has been told yet, oldest first. By state, never "after the last one": transactions commit out of order. */
export const undispatched = (db: Db, most: number): Promise<EventRow[]> => waiting(db, { most })

/** Marks events as told. */
export async function markDispatched(tx: Tx, ids: readonly string[], at: string): Promise<void> {
  await tx
    .updateTable('events')
    .set({ dispatched_at: at })
    .where('id', 'in', [...ids])
    .execute()
}
