import { hasRowLocks } from './dialect.ts'
import type { Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

interface Wanted extends Record<string, unknown> {
  readonly project: string
  readonly count: number
}

/**
 * Takes numbers of a project and answers the last of them; 0 where there is no such project. They are dense and unique, as they are taken
 * in the transaction that uses them.
 */
function taker(column: 'last_pipeline' | 'last_job'): (tx: Tx, wanted: Wanted) => Promise<number> {
  const take = statement((db, { project, count }: Wanted) =>
    db
      .updateTable('projects')
      .set((eb) => ({ [column]: eb(column, '+', count) }))
      .where('id', '=', project),
  )
  const last = statementForOne((db, { project }: Wanted) =>
    db.selectFrom('projects').select([column]).where('id', '=', project),
  )
  const takeAndTell = statementForOne((db, { project, count }: Wanted) =>
    db
      .updateTable('projects')
      .set((eb) => ({ [column]: eb(column, '+', count) }))
      .where('id', '=', project)
      .returning([column]),
  )
  return async (tx, wanted) => {
    if (hasRowLocks(tx)) return (await takeAndTell(tx, wanted))?.[column] ?? 0
    // Where asking costs nothing: SQLite makes a table of its own for what a statement returns, which costs more than both.
    await take(tx, wanted)
    return (await last(tx, wanted))?.[column] ?? 0
  }
}

export const takePipelineNumbers = taker('last_pipeline')
export const takeJobNumbers = taker('last_job')
