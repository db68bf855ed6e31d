import { sql } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
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
  'key_registrations',
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

/** The caches of a project, whose blobs outlive their rows. */
export async function cachesOf(db: Db, project: string): Promise<readonly StoredName[]> {
  const rows = await db.selectFrom('caches').select('id').where('project_id', '=', project).execute()
  return rows.map(({ id }) => ({ kind: 'caches', id }))
}

/** Deletes a project that has no pipelines left, and whatever is about it; contexts stay limited to it, so that nobody gets them. */
export async function deleteProject(tx: Tx, project: string): Promise<void> {
  await sql`delete from lanes where kind = 'webhook' and subject in (select id from webhooks where project_id = ${project})`.execute(
    tx,
  )
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
  for (const table of ['contexts', 'receivers', 'resource_classes', 'members'])
    await sql`delete from ${sql.table(table)} where organization_id = ${organization}`.execute(tx)
  await tx.deleteFrom('limits').where('subject_id', '=', organization).execute()
  await tx.deleteFrom('identity_claims').where('subject_id', '=', organization).execute()
  await tx.deleteFrom('organizations').where('id', '=', organization).execute()
}
