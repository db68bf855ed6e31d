import { DatabaseSync } from 'node:sqlite'
import { uuidv7 } from '#kit/uuid.ts'

/** How much past there is. */
export interface Past {
  readonly projects: number
  readonly runsOfProject: number
  readonly jobsOfRun: number
  readonly testsOfRun: number
}

/*
 * A past of many runs, written by SQLite itself. Two runs after another build one commit; a seventh of the runs failed, a third of them
 * belong to one of forty branches; each of some hundred tests of a workflow fails in one run of a hundred.
 */

const dayMs = 86_400_000
const days = 89
const id = (kind: number) => `printf('018f0000-%04x-7%03x-8000-%010x00', $number, ${kind}, n)`
const took = '30000 + n * 7919 % 600000'
const status = "case when n % 7 = 0 then 'failed' when n % 31 = 0 then 'canceled' else 'success' end"
const branch = "case when n / 2 % 3 = 0 then 'branch-' || (n / 2 % 40) else 'main' end"
const time = "strftime('%Y-%m-%dT%H:%M:%fZ', ($first + n * $step) / 1000.0, 'unixepoch')"

const tables = `
create temp table numbers (n integer primary key);
insert into numbers
  with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 100000) select n from numbers;
create temp table ran (n integer primary key, id text, job text, pipeline text, revision text, started integer, at text, took integer,
  status text, branch text)`

const ran = `insert into ran select n, ${id(1)}, ${id(2)}, ${id(3)}, printf('%040x', $number * 1000000 + n / 2), $first + n * $step,
  ${time}, ${took}, ${status}, ${branch} from numbers where n < $runs order by n`
const runs = `insert into run_facts select $project, $name, started, id, branch, status, took, took / 60 from ran`
const jobs = `insert into job_facts select $project, $name, started + j.n, substr(job, 1, 34) || printf('%02x', j.n), 'job-' || j.n,
  branch, status, took / 2, took / 120, 500 + ran.n % 900, 'medium', 1 from ran, numbers j where j.n < $jobs order by ran.n, j.n`
const test = '($tests * (ran.n / 2 % 20) + t.n)'
const tests = `insert into test_results select job, 0, 0, t.n, $project, id, branch, revision,
  printf('%012x%010x', $number, ${test}), 'module class ' || (${test} % 9), 'adds up what number ' || ${test} || ' stands for',
  'test/unit/part-' || (${test} / 10) || '.test.ts', 'unit', case when (ran.n * 31 + t.n * 17) % 97 = 0 then 'failure' else 'success' end,
  '', (ran.n * 7 + t.n) % 1000 / 100.0, at from ran, numbers t where t.n < $tests order by ran.n, t.n`

/** The rows to which results of tests lead: only for a project that is asked about, and as far back as a question goes. */
const rows = [
  `insert into pipelines (id, project_id, number, state, errors, trigger_type, received_at, branch, revision, parameters, options, created_at, updated_at)
  select pipeline, $project, $offset + n, 'created', '[]', 'api', at, branch, revision, '{}', '{}', at, at from ran where started > $recent`,
  `insert into workflows (id, pipeline_id, project_id, name, status, created_at, stopped_at, root_id, reruns)
  select id, pipeline, $project, $name, status, at, at, id, 0 from ran where started > $recent`,
  `insert into jobs (id, workflow_id, pipeline_id, project_id, position, name, kind, status, number, attempt, why, needs, contexts,
    resource_class, branch, created_at, queued_at, started_at, stopped_at, fence)
  select job, id, pipeline, $project, 0, 'job-0', 'build', status, $offset + n, 1, 'api', '[]', '[]', 'medium', branch, at, at, at, at, 1
  from ran where started > $recent`,
  `insert into test_reports select job, 0, 0, $project, id, 'job-0', branch, 1, $tests, 1, 1, '[]', at from ran where started > $recent`,
]

/** Writes projects with a past into a SQLite file whose tables are there; the first has a single workflow, the others five. */
export function writeFacts(path: string, organization: string, past: Past, now: number): void {
  const db = new DatabaseSync(path)
  const fill = (sql: string, values: Record<string, number | string>) => {
    const used = Object.entries(values).filter(([name]) => sql.includes(`$${name}`))
    // Whole numbers, as SQLite counts with them.
    const whole = used.map(([name, value]) => [name, typeof value === 'number' ? BigInt(value) : value] as const)
    db.prepare(sql).run(Object.fromEntries(whole))
  }
  try {
    // Leaving the journal it has comes first.
    db.exec(
      'pragma journal_mode = delete; pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -200000; begin',
    )
    db.exec(tables)
    const indexes = db
      .prepare(
        "select name, sql from sqlite_master where type = 'index' and tbl_name = 'test_results' and sql is not null",
      )
      .all() as { name: string; sql: string }[]
    for (const { name } of indexes) db.exec(`drop index ${name}`)
    for (let p = 0; p < past.projects; p += 1) {
      const [project, name] = [uuidv7(), `project-${p}`]
      fill(
        `insert into projects (id, organization_id, provider, organization, name, key, slug, default_branch, url, public, last_pipeline, last_job, settings, created_at)
        values ($project, $organization, 'provider-a', 'bench', $name, $name, $slug, 'main', null, 0, 0, 0, '{}', $at)`,
        { project, organization, name, slug: `provider-a/bench/${name}`, at: new Date(now).toISOString() },
      )
      const workflows = p === 0 ? 1 : 5
      for (let w = 0; w < workflows; w += 1) {
        const runsOf = past.runsOfProject / workflows
        const values = {
          project,
          number: p * 5 + w,
          name: `workflow-${w}`,
          first: now - days * dayMs,
          step: Math.floor((days * dayMs) / runsOf),
          runs: runsOf,
          jobs: past.jobsOfRun,
          tests: past.testsOfRun,
          offset: w * runsOf + 1,
          recent: now - 30 * dayMs,
        }
        db.exec('delete from ran')
        for (const sql of [ran, runs, jobs, tests, ...(p === 7 ? rows : [])]) fill(sql, values)
      }
    }
    for (const { sql } of indexes) db.exec(sql)
    db.exec('commit; pragma journal_mode = wal')
  } finally {
    db.close()
  }
}
