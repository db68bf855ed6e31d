import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

export type UsageExportRow = Selectable<Schema['usage_exports']>

export const usageExportById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('usage_exports').selectAll().where('id', '=', id),
)

/** Keeps an export; those of the same organization that were made before `old` go. */
export async function insertUsageExport(tx: Tx, row: UsageExportRow, old: string): Promise<void> {
  await tx
    .deleteFrom('usage_exports')
    .where('organization_id', '=', row.organization_id)
    .where('created_at', '<', old)
    .execute()
  await tx.insertInto('usage_exports').values(row).execute()
}

/** Where a page of jobs begins and which there are: ids hold the time at which they were made. */
export interface UsageWindow {
  readonly organizations: readonly string[]
  readonly after: string
  readonly before: string
  readonly most: number
}

/** Jobs that ran, of some organizations, in the order in which they were made. */
export const usedJobs = (db: Db, at: UsageWindow) =>
  db
    .selectFrom('jobs')
    .innerJoin('projects', 'projects.id', 'jobs.project_id')
    .innerJoin('workflows', 'workflows.id', 'jobs.workflow_id')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .select(['projects.organization_id', 'projects.organization', 'projects.provider', 'projects.url'])
    .select(['projects.id as project_id', 'projects.name as project_name'])
    .select([
      'pipelines.id as pipeline_id',
      'pipelines.number as pipeline_number',
      'pipelines.created_at as pipeline_at',
    ])
    .select(['pipelines.trigger_type', 'pipelines.actor_id', 'pipelines.branch'])
    .select([
      'workflows.id as workflow_id',
      'workflows.name as workflow_name',
      'workflows.stopped_at as workflow_stopped_at',
    ])
    .select('workflows.status as workflow_status')
    .select(['jobs.id', 'jobs.name', 'jobs.number', 'jobs.queued_at', 'jobs.started_at', 'jobs.stopped_at'])
    .select(['jobs.status', 'jobs.resource_class', 'jobs.executor', 'jobs.parallelism'])
    .where('jobs.id', '>', at.after)
    .where('jobs.id', '<', at.before)
    .where('jobs.kind', '=', 'build')
    .where('jobs.started_at', 'is not', null)
    .where('jobs.reused_from', 'is', null)
    .where('projects.organization_id', 'in', [...at.organizations])
    .orderBy('jobs.id')
    .limit(at.most)
    .execute()
