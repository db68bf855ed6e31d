import { sql } from 'kysely'
import { rowName } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'
import type { StoredKind } from './stored.ts'

type Table = Extract<keyof Schema, string>

/** What belongs to a job, and goes before it. */
export const ofJobs: readonly Table[] = [
  'queue',
  'leases',
  'steps',
  'log_ranges',
  'packed_logs',
  'layers',
  'artifacts',
  'test_results',
  'test_outputs',
  'test_reports',
  'nodes',
  'ssh_users',
  'build_texts',
  'notices',
  'serial_places',
]

/** What belongs to a project and not to one of its pipelines; what follows names what stands before. */
export const ofProjects: readonly Table[] = [
  'tokens',
  'follows',
  'refs',
  'told_pushes',
  'open_pushes',
  'revisions',
  'caches',
  'webhooks',
  'variables',
  'key_registrations',
  'checkout_keys',
  'ssh_keys',
  'polls',
  'schedules',
  'branch_schedules',
  'hooks',
  'receivers',
  'pulls',
  'commit_statuses',
  'connections',
  'grants',
  'run_facts',
  'job_facts',
  'run_days',
  'packed_runs',
  'packed_jobs',
  'cache_uses',
  'quarantined_tests',
  'chats',
  'triggers',
  'pipeline_definitions',
]

/** What acts for a project, or lets somebody act: it goes at once. */
const acting: readonly Table[] = [
  'queue',
  'tokens',
  'follows',
  'open_pushes',
  'webhooks',
  'polls',
  'schedules',
  'branch_schedules',
  'receivers',
  'connections',
  'chats',
  'triggers',
  'key_registrations',
]

/** To whom projects belong that were deleted and are not cleared away yet: an organization without a name, in which nobody is. */
export const nowhere = '00000000-0000-0000-0000-000000000000'

/** A blob that a deleted row named. */
export interface StoredName {
  readonly kind: StoredKind
  readonly id: string
}

/** What went with some pipelines, and is yet to go outside of the database. */
export interface Gone {
  readonly jobs: readonly string[]
  readonly stored: readonly StoredName[]
}

const among = (column: string, ids: readonly string[]) => sql`${sql.ref(column)} in (${sql.join(ids)})`

/** Deletes the oldest pipelines of a project with everything in them; nothing where there are none. */
export async function deletePipelines(tx: Tx, project: string, most: number): Promise<Gone | undefined> {
  const rows = await tx
    .selectFrom('pipelines')
    .select('id')
    .where('project_id', '=', project)
    .orderBy('id')
    .limit(most)
    .execute()
  const pipelines = rows.map(({ id }) => id)
  if (pipelines.length === 0) return undefined
  const workflows = sql`select id from workflows where ${among('pipeline_id', pipelines)}`
  const jobs = await tx
    .selectFrom('jobs')
    .select('id')
    .where(sql<boolean>`workflow_id in (${workflows})`)
    .execute()
  const stored = await storedOf(tx, workflows)
  const ofJob = sql`job_id in (select id from jobs where workflow_id in (${workflows}))`
  for (const table of ofJobs) await sql`delete from ${sql.table(table)} where ${ofJob}`.execute(tx)
  for (const table of ['trace_queue', 'events', 'jobs'])
    await sql`delete from ${sql.table(table)} where workflow_id in (${workflows})`.execute(tx)
  for (const table of ['continuations', 'notified', 'workflows'])
    await sql`delete from ${sql.table(table)} where ${among('pipeline_id', pipelines)}`.execute(tx)
  await tx.deleteFrom('pipelines').where('id', 'in', pipelines).execute()
  return { jobs: jobs.map(({ id }) => id), stored }
}

async function storedOf(tx: Tx, workflows: ReturnType<typeof sql>): Promise<readonly StoredName[]> {
  const names: StoredName[] = []
  for (const kind of ['layers', 'artifacts'] as const) {
    const found = await tx
      .selectFrom(kind)
      .select('id')
      .where(sql<boolean>`job_id in (select id from jobs where workflow_id in (${workflows}))`)
      .execute()
    names.push(...found.map(({ id }) => ({ kind, id })))
  }
  return names
}

/** Hides a project from everybody and frees its name; what it had goes afterwards. */
export async function hideProject(tx: Tx, id: string, at: string, by: string): Promise<void> {
  await sql`delete from lanes where kind = 'webhook' and subject in (select id from webhooks where project_id = ${id})`.execute(
    tx,
  )
  for (const table of acting) await sql`delete from ${sql.table(table)} where project_id = ${id}`.execute(tx)
  const to = { gone_at: at, gone_by: by, organization_id: nowhere, slug: `gone/${id}`, key: id, public: 0 as const }
  await tx.updateTable('projects').set(to).where('id', '=', id).where('gone_at', 'is', null).execute()
}

/** The projects that wait longest to be cleared away. */
export const goneProjects = statement((db, { most }: { most: number }) =>
  db
    .selectFrom('projects')
    .select(['id', 'name', 'gone_by'])
    .where('gone_at', 'is not', null)
    .orderBy('gone_at')
    .orderBy('id')
    .limit(most),
)

/** The caches of a project, whose blobs outlive their rows. */
export async function cachesOf(db: Db, project: string): Promise<readonly StoredName[]> {
  const rows = await db.selectFrom('caches').select('id').where('project_id', '=', project).execute()
  return rows.map(({ id }) => ({ kind: 'caches', id }))
}

/** Tables whose rows have no name of their own in SQLite, and their keys. */
const clustered: Partial<Record<Table, readonly string[]>> = {
  run_facts: ['project_id', 'name', 'started', 'id'],
  job_facts: ['project_id', 'workflow', 'started', 'id'],
  run_days: ['project_id', 'name', 'day', 'branch'],
}

/** Deletes some of what is about a project and not about one of its pipelines; false where nothing of it is left. */
export async function deleteSome(tx: Tx, project: string, most: number): Promise<boolean> {
  for (const table of ofProjects) {
    const key = clustered[table]?.map((column) => sql.ref(column)) ?? [rowName(tx)]
    const some = sql`select ${sql.join(key)} from ${sql.table(table)} where project_id = ${project} limit ${most}`
    const where = sql`where (${sql.join(key)}) in (${some})`
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} ${where}`.execute(tx)
    if ((numAffectedRows ?? 0n) > 0n) return true
  }
  return false
}

/** Deletes a project that has no pipelines left, and whatever is about it; contexts stay limited to it, so that nobody gets them. */
export async function deleteProject(tx: Tx, project: string): Promise<void> {
  for (const table of ofProjects) await sql`delete from ${sql.table(table)} where project_id = ${project}`.execute(tx)
  await tx.deleteFrom('messages').where('kind', '=', 'chat').where('subject', '=', project).execute()
  await tx.deleteFrom('lanes').where('kind', '=', 'chat').where('subject', '=', project).execute()
  await tx.deleteFrom('limits').where('subject_id', '=', project).execute()
  await tx.deleteFrom('identity_claims').where('subject_id', '=', project).execute()
  await tx.deleteFrom('projects').where('id', '=', project).execute()
}

/** Workflows of a project that have not ended. */
export async function openWorkflows(db: Db, project: string, most: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('workflows')
    .select('id')
    .where('project_id', '=', project)
    .where('stopped_at', 'is', null)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes an organization that has no projects left, with its people, contexts and agents. */
export async function deleteOrganization(tx: Tx, organization: string): Promise<void> {
  const agents = sql`select id from agents where organization_id = ${organization}`
  await sql`delete from tokens where agent_id in (${agents})`.execute(tx)
  // An agent may still be named by jobs it ran for a project that was moved away: it is left without a token, and works no more.
  await sql`update agents set instance = null, organization_id = null, resource_class_id = null where organization_id = ${organization}`.execute(
    tx,
  )
  for (const table of ['contexts', 'receivers', 'resource_classes', 'orb_prefixes', 'usage_exports', 'members'])
    await sql`delete from ${sql.table(table)} where organization_id = ${organization}`.execute(tx)
  await tx.deleteFrom('limits').where('subject_id', '=', organization).execute()
  await tx.deleteFrom('identity_claims').where('subject_id', '=', organization).execute()
  await tx.deleteFrom('organizations').where('id', '=', organization).execute()
}
