import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/*
 * A past of many builds, written by SQLite itself: three rows for each build, in the order in which a service would have made them.
 * One build in twenty failed; one in fifty belongs to another branch.
 */

const at = (table: string) => `printf('018f0000-0000-7000-8000-%03x%09x', ${tables.indexOf(table)}, n)`
const tables = ['pipelines', 'workflows', 'jobs']
const status = "case when n % 20 = 0 then 'failed' else 'success' end"
const branch = "case when n % 50 = 0 then 'side' else 'main' end"
const time = "strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + n, 'unixepoch')"

/** Writes ended builds into the database of a service that is not running, and says how many there are then. */
export function writeBuilds(folder: string, project: string, count: number): void {
  const db = new DatabaseSync(join(folder, 'roundhouse.db'))
  try {
    const { id, last_job, last_pipeline } = db
      .prepare('select id, last_job, last_pipeline from projects where key = ?')
      .get(project) as { readonly id: string; readonly last_job: number; readonly last_pipeline: number }
    const { revision } = db.prepare('select revision from refs where project_id = ?').get(id) as {
      readonly revision: string
    }
    const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`
    db.exec('begin')
    db.exec(`insert into pipelines (id, project_id, number, state, errors, trigger_type, received_at, branch, revision, parameters, options, created_at, updated_at)
      ${numbers} select ${at('pipelines')}, '${id}', ${last_pipeline} + n, 'created', '[]', 'api', ${time}, ${branch}, '${revision}', '{}', '{}', ${time}, ${time} from numbers`)
    db.exec(`insert into workflows (id, pipeline_id, project_id, name, status, created_at, stopped_at, root_id, reruns)
      ${numbers} select ${at('workflows')}, ${at('pipelines')}, '${id}', 'w', ${status}, ${time}, ${time}, ${at('workflows')}, 0 from numbers`)
    db.exec(`insert into jobs (id, workflow_id, pipeline_id, project_id, position, name, kind, status, number, attempt, why, needs, contexts,
        resource_class, branch, created_at, queued_at, started_at, stopped_at, fence)
      ${numbers} select ${at('jobs')}, ${at('workflows')}, ${at('pipelines')}, '${id}', 0, 'build', 'build', ${status}, ${last_job} + n, 1, 'api', '[]', '[]',
        'medium', ${branch}, ${time}, ${time}, ${time}, ${time}, 1 from numbers`)
    db.exec(
      `update projects set last_job = last_job + ${count}, last_pipeline = last_pipeline + ${count} where id = '${id}'`,
    )
    db.exec('commit')
  } finally {
    db.close()
  }
}
