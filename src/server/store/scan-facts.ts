import { jsonList, type JsonList } from './dialect.ts'
import type { JobFact, RunFact } from './facts.ts'
import type { Db } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

/*
 * Reading thousands of facts. A row costs more on its way out of a database than inside it (31 ms of processor time against 13 for
 * 20,000 rows of five columns), so each column of a slice comes as one list, and others have their turn between slices.
 */

/** Which facts: of one workflow of a project, that began from one instant up to, but without, another. */
export interface FactRange extends Readonly<Record<string, unknown>> {
  readonly project: string
  readonly workflow: string
  readonly from: number
  readonly to: number
}

/** So many rows are read at once. */
const slice = 2_000

type Cut = FactRange & { readonly slice: number }

const runCut = statementForOne((db, at: Cut) =>
  db
    .selectFrom('run_facts')
    .select('started')
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to)
    .orderBy('started')
    .limit(1)
    .offset(at.slice),
)

const jobCut = statementForOne((db, at: Cut) =>
  db
    .selectFrom('job_facts')
    .select('started')
    .where('project_id', '=', at.project)
    .where('workflow', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to)
    .orderBy('started')
    .limit(1)
    .offset(at.slice),
)

const runColumns = statement((db, at: FactRange) =>
  db
    .selectFrom('run_facts')
    .select([
      jsonList<number>(db, 'started').as('started'),
      jsonList<number>(db, 'duration').as('duration'),
      jsonList<number>(db, 'credits').as('credits'),
      jsonList<string>(db, 'status').as('status'),
      jsonList<string>(db, 'branch').as('branch'),
    ])
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to),
)

const jobColumns = statement((db, at: FactRange) =>
  db
    .selectFrom('job_facts')
    .select([
      jsonList<number>(db, 'started').as('started'),
      jsonList<number | null>(db, 'duration').as('duration'),
      jsonList<number>(db, 'credits').as('credits'),
      jsonList<string>(db, 'status').as('status'),
      jsonList<string>(db, 'branch').as('branch'),
      jsonList<string>(db, 'name').as('name'),
      jsonList<number>(db, 'queued').as('queued'),
      jsonList<string>(db, 'resource_class').as('resource_class'),
      jsonList<number>(db, 'nodes').as('nodes'),
    ])
    .where('project_id', '=', at.project)
    .where('workflow', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to),
)

/** Lists of the same length: the values of one row stand at the same place in each. */
type Columns<Row> = { readonly [C in keyof Row]: readonly Row[C][] }

export type RunColumns = Columns<Pick<RunFact, 'started' | 'duration' | 'credits' | 'status' | 'branch'>>
export type JobColumns = Columns<Omit<JobFact, 'project_id' | 'workflow' | 'id'>>

/** The runs of a range, slice by slice. */
export const scanRuns = (db: Db, range: FactRange): AsyncGenerator<RunColumns> => scan(db, range, runCut, runColumns)

/** The builds of a range, slice by slice. */
export const scanJobs = (db: Db, range: FactRange): AsyncGenerator<JobColumns> => scan(db, range, jobCut, jobColumns)

async function* scan<C extends string, V>(
  db: Db,
  range: FactRange,
  cut: (db: Db, at: Cut) => Promise<{ readonly started: number } | undefined>,
  read: (db: Db, at: FactRange) => Promise<readonly Readonly<Record<C, JsonList<unknown>>>[]>,
): AsyncGenerator<V> {
  let from = range.from
  while (from < range.to) {
    const next = await cut(db, { ...range, from, slice })
    // What began in the same millisecond stays together.
    const to = next ? Math.max(Number(next.started), from + 1) : range.to
    const [columns] = await read(db, { ...range, from, to })
    if (columns) yield listsIn(columns) as V
    from = to
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const listsIn = (columns: Readonly<Record<string, JsonList<unknown>>>): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(Object.entries(columns).map(([name, text]) => [name, JSON.parse(text ?? '[]') as unknown[]]))
