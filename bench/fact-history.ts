import { DatabaseSync } from 'node:sqlite'
import { uuidv7 } from '#kit/uuid.ts'

/** How much past there is. */
export interface Past {
  readonly projects: number
  readonly runsOfProject: number
  readonly jobsOfRun: number
}

const dayMs = 86_400_000

/** Writes projects with a past into a SQLite file whose tables are there; the first has a single workflow, the others five. Says their names. */
export function writeFacts(path: string, organization: string, past: Past, now: number): readonly string[] {
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -200000; begin')
    const insertProject = db.prepare(
      "insert into projects (id, organization_id, provider, organization, name, key, slug, default_branch, url, public, last_pipeline, last_job, settings, created_at) values (?, ?, 'provider-a', 'bench', ?, ?, ?, 'main', null, 0, 0, 0, '{}', ?)",
    )
    const run = db.prepare('insert into run_facts values (?, ?, ?, ?, ?, ?, ?, ?)')
    const job = db.prepare('insert into job_facts values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    const names: string[] = []
    const first = now - 89 * dayMs
    for (let p = 0; p < past.projects; p += 1) {
      const [id, name] = [uuidv7(), `project-${p}`]
      names.push(name)
      insertProject.run(id, organization, name, name, `provider-a/bench/${name}`, new Date(now).toISOString())
      const workflows = p === 0 ? 1 : 5
      const each = past.runsOfProject / workflows
      for (let w = 0; w < workflows; w += 1) {
        const workflow = `workflow-${w}`
        for (let i = 0; i < each; i += 1) {
          const started = Math.floor(first + (i / each) * 89 * dayMs)
          const took = 30_000 + ((i * 7919) % 600_000)
          const status = i % 7 === 0 ? 'failed' : i % 31 === 0 ? 'canceled' : 'success'
          const branch = i % 3 === 0 ? `branch-${i % 40}` : 'main'
          run.run(id, workflow, started, uuidv7(), branch, status, took, took / 60)
          for (let j = 0; j < past.jobsOfRun; j += 1)
            job.run(
              id,
              workflow,
              started + j,
              uuidv7(),
              `job-${j}`,
              branch,
              status,
              took / 2,
              took / 120,
              500 + (i % 900),
              'medium',
              1,
            )
        }
      }
    }
    db.exec('commit')
    // Not left to whoever commits next.
    db.exec('pragma wal_checkpoint(truncate)')
    return names
  } finally {
    db.close()
  }
}
