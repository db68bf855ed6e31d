import { Readable } from 'node:stream'
import * as contract from '#contract/v2/job.ts'
import type { JobId, WorkflowId } from '#core/ids.ts'
import type { JobStatus } from '#core/job.ts'
import { jobWord } from '#core/status-words.ts'
import { between, type Instant } from '#kit/brand.ts'
import { slugOf, vcsUrl, workflowUrl } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { artifactUrl, listArtifacts } from '#server/app/artifacts.ts'
import { textOf } from '#server/app/builds/output.ts'
import { type JobFacts, jobOf } from '#server/app/find.ts'
import { nodesFor } from '#server/app/job-page.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { type Waiting, whyWaiting } from '#server/app/waiting.ts'
import { cancelJob } from '#server/app/workflows.ts'
import type { Serving } from '#server/api/serve.ts'

/** Jobs of generation 2. */
export function serveJobs({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.getJob, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'read', params)
    return jobDetails(app, await jobOf(app, project, params.job_number))
  })

  serve(contract.listJobArtifacts, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { job } = await jobOf(app, project, params.job_number)
    const { items, next } = await listArtifacts(app, job, query['page-token'])
    return {
      items: items.map((row) => ({ path: row.path, node_index: row.node, url: artifactUrl(world, row) })),
      next_page_token: next,
    }
  })

  serve(contract.readRawOutput, async ({ caller, params, reply }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { job } = await jobOf(app, project, params.job_number)
    const step = { job_id: job.id, node: params.index, position: params.step }
    const text = await textOf(world, step)
    return reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('x-content-type-options', 'nosniff')
      .send(params.stream === 'error' ? '' : Readable.from(text, { objectMode: false }))
  })

  serve(contract.cancelJob, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'build', params)
    const { job } = await jobOf(app, project, params.job_number)
    await cancelJob(world, asUser(caller).id, job.workflow_id as WorkflowId, job.id as JobId)
    return { message: 'Accepted.' }
  })
}

async function jobDetails(app: App, { project, pipeline, stored, job }: JobFacts): Promise<contract.JobDetails> {
  const { world } = app
  // What was skipped on request has a number, and nothing that could run.
  const body = job.body_hash === null ? undefined : await app.bodyOf(job)
  const status = jobWord[job.status as JobStatus]
  const stopped = job.stopped_at as Instant | null
  return {
    id: job.id,
    web_url: `${workflowUrl(world, project, pipeline.number, stored.row.id)}/jobs/${job.id}`,
    project: { id: project.id, slug: slugOf(world, project), name: project.name, external_url: vcsUrl(world, project) },
    parallel_runs: (await nodesFor(app, job)).map((node) => ({ index: node.index, status: jobWord[node.status] })),
    started_at: job.started_at,
    latest_workflow: { id: stored.row.id, name: stored.row.name },
    name: job.name,
    executor: { resource_class: job.resource_class, type: body?.executor.type ?? 'machine' },
    parallelism: body?.parallelism ?? job.parallelism,
    status,
    number: job.number ?? 0,
    pipeline: { id: pipeline.id },
    duration: job.started_at === null || stopped === null ? null : between(job.started_at as Instant, stopped),
    created_at: job.created_at,
    messages: messagesOf(job.reason ?? job.denied, await whyWaiting(app, job, stored.jobs)),
    contexts: (JSON.parse(job.contexts) as string[]).map((name) => ({ name })),
    organization: { name: project.organization },
    queued_at: job.queued_at,
    stopped_at: stopped,
  }
}

/** What a person should know beside the status. */
export const messagesOf = (reason: string | null, waiting: Waiting | undefined): contract.JobMessage[] => [
  ...(reason === null ? [] : [{ type: 'error', message: reason }]),
  ...(waiting ? [{ type: 'waiting', message: waiting.message, reason: waiting.for }] : []),
]
