import type { Selectable } from 'kysely'
import { takeTurns } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

/** How many jobs a project or an organization may run at once, and how long each. */
export type LimitRow = Selectable<Schema['limits']>

const all = statement((db, _: Readonly<Record<string, never>>) =>
  db.selectFrom('limits').selectAll().where('most_running', 'is not', null),
)

/** The limits that concern a project: its own and that of its organization, as far as they are set. */
export const limitsOf = statement((db, { project }: { project: string }) =>
  db
    .selectFrom('limits')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('subject_id', '=', project),
        eb('subject_id', '=', eb.selectFrom('projects').select('organization_id').where('id', '=', project)),
      ]),
    ),
)

/** The limit of one project or organization, if it is set. */
export const limitOf = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('limits').selectAll().where('subject_id', '=', id),
)

const projectsIn = statement((db, { organization }: { organization: string }) =>
  db.selectFrom('projects').select('id').where('organization_id', '=', organization),
)

const runningOfProject = statementForOne((db, { project }: { project: string }) =>
  db
    .selectFrom('leases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', project),
)

const runningOfOrganization = statementForOne((db, { organization }: { organization: string }) =>
  db
    .selectFrom('leases')
    .innerJoin('projects', 'projects.id', 'leases.project_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('projects.organization_id', '=', organization),
)

/** How many nodes of jobs run now below a limit. */
export async function runningUnder(db: Db, { subject, subject_id: id }: LimitRow): Promise<number> {
  const row =
    subject === 'project'
      ? await runningOfProject(db, { project: id })
      : await runningOfOrganization(db, { organization: id })
  return Number(row?.count ?? 0)
}

/** A limit that is kept, with how much of it is left. */
export interface Allowance {
  /** The projects that share it. */
  readonly projects: ReadonlySet<string>
  left: number
}

/** Any number that nobody else uses for another purpose. */
const limitLock = 7_220_115

/** Every limit of running jobs. Where there are any, takers of jobs go one after the other: two must not both take the last that is allowed. */
export async function allowances(tx: Tx): Promise<readonly Allowance[]> {
  const limits = await all(tx, {})
  if (limits.length > 0) await takeTurns(tx, limitLock)
  const made: Allowance[] = []
  for (const limit of limits) {
    const { subject, subject_id: id } = limit
    const shared = subject === 'project' ? [{ id }] : await projectsIn(tx, { organization: id })
    const left = (limit.most_running ?? 0) - (await runningUnder(tx, limit))
    made.push({ projects: new Set(shared.map((project) => project.id)), left })
  }
  return made
}

/** Sets the limits of a project or an organization. */
export async function putLimit(tx: Tx, row: LimitRow): Promise<void> {
  const { most_running, most_minutes } = row
  await tx
    .insertInto('limits')
    .values(row)
    .onConflict((conflict) => conflict.column('subject_id').doUpdateSet({ most_running, most_minutes }))
    .execute()
}
