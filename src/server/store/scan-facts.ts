import { sql } from 'kysely'
import type { Db } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

/*
 * Reading thousands of facts. A row costs more on its way out of a database than inside it (29 ms against 11 ms for 20,000 rows
 * of five columns), so the numbers of a slice come as one text for each group of them, and others have their turn between slices.
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

const runNumbers = statement((db, at: FactRange) =>
  db
    .selectFrom('run_facts')
    .select(['branch', 'status'])
    .select(sql<string>`string_agg(started || ',' || duration || ',' || credits, ',')`.as('numbers'))
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to)
    .groupBy(['branch', 'status']),
)

const jobNumbers = statement((db, at: FactRange) =>
  db
    .selectFrom('job_facts')
    .select(['name', 'branch', 'status', 'resource_class'])
    .select(
      sql<string>`string_agg(started || ',' || coalesce(cast(duration as text), 'null') || ',' || credits || ',' || queued || ',' || nodes, ',')`.as(
        'numbers',
      ),
    )
    .where('project_id', '=', at.project)
    .where('workflow', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to)
    .groupBy(['name', 'branch', 'status', 'resource_class']),
)

/** Runs of one branch and status: start, duration and credits of each, one after the other. */
export interface RunGroup {
  readonly branch: string
  readonly status: string
  readonly numbers: readonly number[]
}

/** Builds of one name, branch, status and resource class: start, duration or null, credits, wait and nodes of each. */
export interface JobGroup extends Omit<RunGroup, 'numbers'> {
  readonly name: string
  readonly resource_class: string
  readonly numbers: readonly (number | null)[]
}

/** The runs of a range, slice by slice. */
export const scanRuns = (db: Db, range: FactRange): AsyncGenerator<RunGroup> => scan(db, range, runCut, runNumbers)

/** The builds of a range, slice by slice. */
export const scanJobs = (db: Db, range: FactRange): AsyncGenerator<JobGroup> => scan(db, range, jobCut, jobNumbers)

type Scanned<G> = Omit<G, 'numbers'> & { readonly numbers: never }

async function* scan<G extends { readonly numbers: string }>(
  db: Db,
  range: FactRange,
  cut: (db: Db, at: Cut) => Promise<{ readonly started: number } | undefined>,
  read: (db: Db, at: FactRange) => Promise<readonly G[]>,
): AsyncGenerator<Scanned<G>> {
  let from = range.from
  while (from < range.to) {
    const next = await cut(db, { ...range, from, slice })
    // What began in the same millisecond stays together.
    const to = next ? Math.max(Number(next.started), from + 1) : range.to
    for (const group of await read(db, { ...range, from, to }))
      yield { ...group, numbers: JSON.parse(`[${group.numbers}]`) as never }
    from = to
    await new Promise((resolve) => setImmediate(resolve))
  }
}
