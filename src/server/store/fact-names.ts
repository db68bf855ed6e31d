import { type Place, spoiledDays } from './packed-days.ts'
import type { Db } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

const dayMs = 86_400_000

interface After {
  readonly project: string
  readonly after: string
}

type Next = (db: Db, at: After & Record<string, unknown>) => Promise<{ readonly name: string } | undefined>

const nextRun: Next = statementForOne((db, at: After & Record<string, unknown>) =>
  db
    .selectFrom('run_facts')
    .select('name')
    .where('project_id', '=', at.project)
    .where('name', '>', at.after)
    .orderBy('name')
    .limit(1),
)

const nextJob: Next = statementForOne((db, at: After & Record<string, unknown>) =>
  db
    .selectFrom('job_facts')
    .select('workflow as name')
    .where('project_id', '=', at.project)
    .where('workflow', '>', at.after)
    .orderBy('workflow')
    .limit(1),
)

const mostNames = 1_000

/** One step in the index for each name. */
const stepping =
  (next: Next) =>
  async (db: Db, project: string): Promise<readonly string[]> => {
    const names: string[] = []
    for (let after = ''; names.length < mostNames;) {
      const found = await next(db, { project, after })
      if (!found) break
      names.push(found.name)
      after = found.name
    }
    return names
  }

/** The names of the workflows of a project that ended at least once. */
export const workflowNames = stepping(nextRun)

/** The names of those of which a build ended: the workflow may still be running, or be forgotten already. */
export const jobWorkflowNames = stepping(nextJob)

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

const packedTexts = statement((db, at: Place) =>
  db
    .selectFrom('packed_runs')
    .select(['day', 'texts'])
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .orderBy('day'),
)

/** The branches on which a workflow ended at least once: as packed days tell, and looked for after the last of them. */
export async function branchNames(db: Db, place: Place): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  let since = 0
  for (const { day, texts } of await packedTexts(db, place)) {
    for (const branch of (JSON.parse(texts) as { readonly branches?: readonly string[] }).branches ?? [])
      found.add(branch)
    since = day + dayMs
  }
  for (const { day } of await spoiledDays(db, 'packed_runs', place)) await look(day, day + dayMs)
  await look(since, Number.MAX_SAFE_INTEGER)
  return found

  async function look(from: number, to: number): Promise<void> {
    for (let at = from; at < to;) {
      const next = await sliceEnd(db, { ...place, from: at })
      const end = Math.min(to, next ? Math.max(next.started, at + 1) : to)
      for (const { branch } of await branchesIn(db, { ...place, from: at, to: end })) found.add(branch)
      at = end
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
