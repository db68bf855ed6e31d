import { statement, statementForOne } from './statement.ts'
import type { Db } from './schema.ts'

const nextName = statementForOne((db, at: { project: string; after: string }) =>
  db
    .selectFrom('run_facts')
    .select('name')
    .where('project_id', '=', at.project)
    .where('name', '>', at.after)
    .orderBy('name')
    .limit(1),
)

const mostNames = 1_000

/** The names of the workflows of a project that ended at least once: one step in the index for each. */
export async function workflowNames(db: Db, project: string): Promise<readonly string[]> {
  const names: string[] = []
  for (let after = ''; names.length < mostNames;) {
    const next = await nextName(db, { project, after })
    if (!next) break
    names.push(next.name)
    after = next.name
  }
  return names
}

/** Workflows of a project that have not ended. */
export const openRuns = statement((db, at: { project: string }) =>
  db
    .selectFrom('workflows')
    .innerJoin('pipelines', 'pipelines.id', 'workflows.pipeline_id')
    .select(['workflows.name', 'workflows.created_at', 'pipelines.branch'])
    .where('workflows.project_id', '=', at.project)
    .where('workflows.stopped_at', 'is', null)
    // A build that was never to run stands there too, and never ends.
    .where('workflows.status', '!=', 'not_run')
    .orderBy('workflows.id'),
)

/** Builds of a workflow that have not ended, and wait for an agent or have one. */
export const openJobs = statement((db, at: { project: string; workflow: string }) =>
  db
    .selectFrom('workflows')
    .innerJoin('jobs', 'jobs.workflow_id', 'workflows.id')
    .select(['jobs.name', 'jobs.branch', 'jobs.created_at', 'jobs.queued_at', 'jobs.started_at'])
    .where('workflows.project_id', '=', at.project)
    .where('workflows.stopped_at', 'is', null)
    .where('workflows.name', '=', at.workflow)
    .where('jobs.kind', '=', 'build')
    .where('jobs.status', 'in', ['queued', 'running'])
    .orderBy('jobs.id'),
)

/** So many rows are looked through at once. */
const slice = 10_000

const sliceEnd = statementForOne((db, at: { project: string; workflow: string; from: number }) =>
  db
    .selectFrom('run_facts')
    .select('started')
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('started', '>=', at.from)
    .orderBy('started')
    .limit(1)
    .offset(slice),
)

const branchesIn = statement((db, at: { project: string; workflow: string; from: number; to: number }) =>
  db
    .selectFrom('run_facts')
    .select('branch')
    .distinct()
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('started', '>=', at.from)
    .where('started', '<', at.to),
)

/** The branches on which a workflow ended at least once since then. */
export async function branchNames(
  db: Db,
  project: string,
  workflow: string,
  since: number,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let from = since; ;) {
    const next = await sliceEnd(db, { project, workflow, from })
    const to = next ? Math.max(next.started, from + 1) : Number.MAX_SAFE_INTEGER
    for (const { branch } of await branchesIn(db, { project, workflow, from, to })) if (branch !== '') found.add(branch)
    if (!next) return found
    from = to
    await new Promise((resolve) => setImmediate(resolve))
  }
}
