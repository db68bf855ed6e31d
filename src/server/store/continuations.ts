import type { Selectable } from 'kysely'
import { literal } from './dialect.ts'
import type { Schema } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type ContinuationRow = Selectable<Schema['continuations']>

export const insertContinuation = statement((db, row: ContinuationRow) =>
  db.insertInto('continuations').values({
    pipeline_id: row.pipeline_id,
    key_hash: row.key_hash,
    key: row.key,
    setup_hash: row.setup_hash,
    compiled_hash: row.compiled_hash,
    created_at: row.created_at,
    continued_at: row.continued_at,
  }),
)

/** What a pipeline's setup phase left behind, if it had one. */
export const continuationOf = statementForOne((db, { pipeline }: { pipeline: string }) =>
  db.selectFrom('continuations').selectAll().where('pipeline_id', '=', pipeline),
)

/** The sealed key for the jobs of a workflow: only the workflow of a setup has one. */
export const keyOfWorkflow = statementForOne((db, { workflow }: { workflow: string }) =>
  db
    .selectFrom('workflows')
    .innerJoin('continuations', 'continuations.pipeline_id', 'workflows.pipeline_id')
    .select('continuations.key')
    .where('workflows.id', '=', workflow)
    .where('workflows.tag', '=', literal('setup')),
)

export const continuationByKey = statementForOne((db, { hash }: { hash: string }) =>
  db.selectFrom('continuations').selectAll().where('key_hash', '=', hash),
)

export const markContinued = statement((db, to: { pipeline: string; at: string }) =>
  db.updateTable('continuations').set({ continued_at: to.at }).where('pipeline_id', '=', to.pipeline),
)

/** Gives a pipeline the configuration and the parameters it goes on with; it waits to be compiled again. */
export const continueRow = statement(
  (db, to: { id: string; state: string; config_hash: string; parameters: string; updated_at: string }) =>
    db
      .updateTable('pipelines')
      .set({
        state: to.state,
        config_hash: to.config_hash,
        compiled_hash: null,
        parameters: to.parameters,
        updated_at: to.updated_at,
      })
      .where('id', '=', to.id),
)
