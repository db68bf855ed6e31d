import { lockFree } from './dialect.ts'
import type { Db, Tx } from './schema.ts'
import { statement } from './statement.ts'

/** Notes that a workflow is to be told to the collector of traces. */
export const queueTrace = statement((db, at: { workflow: string; now: string }) =>
  db
    .insertInto('trace_queue')
    .values({ workflow_id: at.workflow, attempts: 0, next_at: at.now })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Takes workflows that are due; until then nobody else does. */
export async function takeTraces(tx: Tx, now: string, until: string, most: number) {
  const due = await tx
    .selectFrom('trace_queue')
    .selectAll()
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(most)
    .$call(lockFree(tx))
    .execute()
  for (const { workflow_id, attempts } of due) {
    await tx
      .updateTable('trace_queue')
      .set({ attempts: attempts + 1, next_at: until })
      .where('workflow_id', '=', workflow_id)
      .execute()
  }
  return due.map(({ workflow_id: workflow, attempts }) => ({ workflow, attempts: attempts + 1 }))
}

/** A workflow was told, or is given up. */
export const forgetTrace = statement((db, { workflow }: { workflow: string }) =>
  db.deleteFrom('trace_queue').where('workflow_id', '=', workflow),
)

/** It could not be told now. */
export const delayTrace = statement((db, at: { workflow: string; until: string }) =>
  db.updateTable('trace_queue').set({ next_at: at.until }).where('workflow_id', '=', at.workflow),
)

/** How many workflows are yet to be told. */
export async function traceCount(db: Db): Promise<number> {
  const query = db.selectFrom('trace_queue').select((eb) => eb.fn.countAll<number>().as('count'))
  return Number((await query.executeTakeFirstOrThrow()).count)
}
