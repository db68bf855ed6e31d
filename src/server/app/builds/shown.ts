import { insertJob, insertRow } from '#server/store/new-workflows.ts'
import { insertPipeline } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import { putStep } from '#server/store/steps.ts'
import { takeJobNumbers } from '#server/store/numbers.ts'
import { newPipelineRow, type Wanted } from '#server/app/trigger.ts'
import type { World } from '#server/app/world.ts'

/*
 * Generation 1.1 has builds that never ran and still have a number: of commits that ask not to be built, and of triggers that could
 * not be obeyed. Generation 2 knows nothing of the kind, so the pipeline that such a build needs has a number below zero, which
 * no list shows and no address can name.
 */

/** Why a build never ran. */
export type NeverRan =
  | { readonly status: 'not_run'; readonly dontBuild: string }
  | { readonly status: 'failed'; readonly reason: string }

/** Writes such a build and says its number. */
export async function showBuild(
  world: World,
  tx: Tx,
  project: ProjectRow,
  wanted: Wanted,
  how: NeverRan,
): Promise<number> {
  const number = await takeJobNumbers(tx, { project: project.id, count: 1 })
  const at = world.now()
  const failed = how.status === 'failed'
  const pipeline = { ...newPipelineRow(world, project, wanted, -number), state: failed ? 'errored' : 'created' }
  await insertPipeline(tx, {
    ...pipeline,
    errors: failed ? JSON.stringify([{ type: 'config', message: how.reason }]) : '[]',
  })
  const name = failed ? 'Build Error' : 'build'
  const workflow = world.newId()
  const about = { project_id: project.id, pipeline_id: pipeline.id, name, status: how.status, created_at: at }
  const stopped_at = failed ? at : null
  await insertRow(tx, {
    ...about,
    id: workflow,
    stopped_at,
    started_by: wanted.actor,
    canceled_by: null,
    errored_by: null,
    rerun_of: null,
    root_id: workflow,
    reruns: 0,
    tag: null,
    only_failed_tests: 0,
  })
  const id = world.newId()
  await insertJob(tx, {
    ...about,
    id,
    workflow_id: workflow,
    position: 0,
    kind: 'build',
    number,
    attempt: 1,
    retry_of: null,
    reused_from: null,
    why: wanted.type === 'webhook' ? 'push' : 'api',
    needs: '[]',
    contexts: '[]',
    denied: null,
    body_hash: null,
    resource_class: 'medium',
    executor: '',
    parallelism: 1,
    branch: wanted.branch,
    queued_at: null,
    started_at: stopped_at,
    stopped_at,
    approved_by: null,
    canceled_by: null,
    reason: failed ? how.reason : null,
    fence: 0,
    dont_build: failed ? null : how.dontBuild,
    serial_key: null,
    no_tests: 0,
  })
  if (failed) await putStep(tx, errorStep(id, how.reason, at))
  return number
}

/** What people see in the place of the steps: the reason, in the form of a script that says it. */
const errorStep = (job: string, reason: string, at: string) => ({
  job_id: job,
  node: 0,
  position: 0,
  name: 'Config Processing Error',
  type: 'run',
  command: `#!/bin/sh -eo pipefail\n# ${reason}\nfalse`,
  background: 0 as const,
  status: 'failed',
  exit_code: 1,
  started_at: at,
  ended_at: at,
  log_state: 'packed',
})
