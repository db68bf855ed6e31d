import { takeTurns } from './dialect.ts'
import type { Db, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

/** How many jobs somebody may run at once, and how long each. */
export interface LimitRow {
  readonly most_running: number | null
  readonly most_minutes: number | null
}

const limitedProjects = statement((db, _: Readonly<Record<string, never>>) =>
  db.selectFrom('projects').select(['id', 'organization_id', 'most_running']).where('most_running', 'is not', null),
)

const limitedOrganizations = statement((db, _: Readonly<Record<string, never>>) =>
  db.selectFrom('organizations').select(['id', 'most_running']).where('most_running', 'is not', null),
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

/** Every limit that concerns a project: its own and that of its organization. */
export const limitsOf = statementForOne((db, { project }: { project: string }) =>
  db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select([
      'projects.most_running as project_running',
      'projects.most_minutes as project_minutes',
      'organizations.most_running as organization_running',
      'organizations.most_minutes as organization_minutes',
    ])
    .where('projects.id', '=', project),
)

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
  const [organizations, projects] = [await limitedOrganizations(tx, {}), await limitedProjects(tx, {})]
  if (organizations.length + projects.length === 0) return []
  await takeTurns(tx, limitLock)
  const made: Allowance[] = []
  for (const { id, most_running: most } of organizations) {
    const shared = new Set((await projectsIn(tx, { organization: id })).map((project) => project.id))
    made.push({ projects: shared, left: (most ?? 0) - (await organizationRunning(tx, id)) })
  }
  for (const { id, most_running: most } of projects)
    made.push({ projects: new Set([id]), left: (most ?? 0) - (await projectRunning(tx, id)) })
  return made
}

/** How many nodes of a project's jobs run now. */
export const projectRunning = async (db: Db, project: string): Promise<number> =>
  Number((await runningOfProject(db, { project }))?.count ?? 0)

/** How many nodes of an organization's jobs run now. */
export const organizationRunning = async (db: Db, organization: string): Promise<number> =>
  Number((await runningOfOrganization(db, { organization }))?.count ?? 0)

/** Changes the limits of a project or an organization. */
export async function setLimits(
  tx: Tx,
  of: 'projects' | 'organizations',
  id: string,
  limits: Partial<LimitRow>,
): Promise<void> {
  if (Object.keys(limits).length > 0) await tx.updateTable(of).set(limits).where('id', '=', id).execute()
}
