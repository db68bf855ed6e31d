import type { Db } from './schema.ts'
import type { JobFact, RunFact } from './facts.ts'
import { statement } from './statement.ts'

/** Runs of a workflow, newest first, from one place in their order on. */
interface RunPage extends Readonly<Record<string, unknown>> {
  readonly project: string
  readonly workflow: string
  readonly from: number
  readonly to: number
  /** Only before these two: begun then, with an id below this one. */
  readonly started: number
  readonly id: string
  readonly most: number
}

const pageOfRuns = statement((db, at: RunPage) =>
  db
    .selectFrom('run_facts')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to)
    .where((eb) => eb(eb.refTuple('started', 'id'), '<', eb.tuple(at.started, at.id)))
    .orderBy('started', 'desc')
    .orderBy('id', 'desc')
    .limit(at.most),
)

const pageOfJobs = statement((db, at: RunPage) =>
  db
    .selectFrom('job_facts')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('workflow', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to)
    .where((eb) => eb(eb.refTuple('started', 'id'), '<', eb.tuple(at.started, at.id)))
    .orderBy('started', 'desc')
    .orderBy('id', 'desc')
    .limit(at.most),
)

/** Where in the order of runs somebody is. */
export type RunPlace = Pick<RunFact, 'started' | 'id'>

/** After every run. */
export const afterAll: RunPlace = { started: Number.MAX_SAFE_INTEGER, id: '' }

const readAtOnce = 500

/** Of which workflow, when, and on which branches; on all where none are said. */
interface Wanted {
  readonly project: string
  readonly workflow: string
  readonly from: number
  readonly to: number
  readonly branches: ReadonlySet<string> | undefined
}

/** Runs of a workflow that ended, newest first, so many at most. */
export const runsBefore = (db: Db, of: Wanted, before: RunPlace, most: number): Promise<readonly RunFact[]> =>
  rowsBefore((at) => pageOfRuns(db, at), of, before, most)

/** Runs of one job of a workflow that ended, newest first, so many at most. */
export const jobRunsBefore = (
  db: Db,
  of: Wanted & { readonly job: string },
  before: RunPlace,
  most: number,
): Promise<readonly JobFact[]> =>
  rowsBefore(
    (at) => pageOfJobs(db, at),
    of,
    before,
    most,
    ({ name }) => name === of.job,
  )

/** Others have their turn while it looks. */
async function rowsBefore<T extends RunPlace & { readonly branch: string }>(
  read: (at: RunPage) => Promise<readonly T[]>,
  { project, workflow, from, to, branches }: Wanted,
  before: RunPlace,
  most: number,
  isMeant: (row: T) => boolean = () => true,
): Promise<readonly T[]> {
  const found: T[] = []
  let place = before
  while (found.length < most) {
    const rows = await read({ project, workflow, from, to, started: place.started, id: place.id, most: readAtOnce })
    for (const row of rows) if ((branches === undefined || branches.has(row.branch)) && isMeant(row)) found.push(row)
    const last = rows.at(-1)
    if (!last || rows.length < readAtOnce) break
    place = { started: last.started, id: last.id }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return found.slice(0, most)
}
