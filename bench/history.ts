import { openStore } from '#server/store/open.ts'
import { uuidv7 } from '#kit/uuid.ts'
import { join } from 'node:path'

/** Writes finished builds into the database of a service that is not running, so that it has a past. */
export async function writeHistory(folder: string, project: string, count: number): Promise<void> {
  const db = await openStore(join(folder, 'roundhouse.db'), () => new Date().toISOString())
  try {
    const row = await db.selectFrom('projects').selectAll().where('key', '=', project).executeTakeFirstOrThrow()
    const at = new Date(Date.now() - 86_400_000).toISOString()
    const { revision } = await db
      .selectFrom('refs')
      .select('revision')
      .where('project_id', '=', row.id)
      .executeTakeFirstOrThrow()
    for (let done = 0; done < count; done += 500) {
      const ids = Array.from({ length: Math.min(500, count - done) }, () => ({
        pipeline: uuidv7(),
        workflow: uuidv7(),
        job: uuidv7(),
      }))
      await db.transaction().execute(async (tx) => {
        for (const [i, { pipeline, workflow, job }] of ids.entries()) {
          const number = row.last_pipeline + done + i + 1
          const build = row.last_job + done + i + 1
          await tx
            .insertInto('pipelines')
            .values({
              id: pipeline,
              project_id: row.id,
              number,
              state: 'created',
              errors: '[]',
              trigger_type: 'api',
              actor_id: null,
              received_at: at,
              branch: 'main',
              tag: null,
              revision,
              parameters: '{}',
              options: '{}',
              config_hash: null,
              compiled_hash: null,
              created_at: at,
              updated_at: at,
              trust: 'trusted',
              needs_approval: 0,
            })
            .execute()
          await tx
            .insertInto('workflows')
            .values({
              id: workflow,
              pipeline_id: pipeline,
              project_id: row.id,
              name: 'w',
              status: 'success',
              created_at: at,
              stopped_at: at,
              started_by: null,
              canceled_by: null,
              errored_by: null,
              rerun_of: null,
              root_id: workflow,
              reruns: 0,
            })
            .execute()
          await tx
            .insertInto('jobs')
            .values({
              id: job,
              workflow_id: workflow,
              pipeline_id: pipeline,
              project_id: row.id,
              position: 0,
              name: 'build',
              kind: 'build',
              status: 'success',
              number: build,
              attempt: 1,
              retry_of: null,
              reused_from: null,
              why: 'api',
              needs: '[]',
              contexts: '[]',
              denied: null,
              body_hash: null,
              resource_class: 'medium',
              branch: 'main',
              created_at: at,
              queued_at: at,
              started_at: at,
              stopped_at: at,
              approved_by: null,
              canceled_by: null,
              reason: null,
              fence: 1,
            })
            .execute()
        }
        const more = Math.min(count, done + ids.length)
        await tx
          .updateTable('projects')
          .set({ last_pipeline: row.last_pipeline + more, last_job: row.last_job + more })
          .where('id', '=', row.id)
          .execute()
      })
    }
  } finally {
    await db.destroy()
  }
}
