import * as job from '#contract/rh/job.ts'
import * as projects from '#contract/rh/projects.ts'
import { projectCard } from './cards.ts'
import { jobWord } from '#core/status-words.ts'
import type { JobStatus } from '#core/job.ts'
import { Refusal } from '#kit/refusal.ts'
import { slugOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { jobFor, workflowFor } from '#server/app/find.ts'
import { nodesFor, stepsFor } from '#server/app/job-page.ts'
import { visibleProjects } from '#server/app/lists.ts'
import { asUser } from '#server/app/permissions.ts'
import { whyWaiting } from '#server/app/waiting.ts'
import { addProject } from '#server/app/projects.ts'
import { followedProjectIds } from '#server/app/followed.ts'
import { messagesOf } from '#server/api/v2/jobs.ts'
import type { Serving } from '#server/api/serve.ts'

/** Projects as the first page shows them. */
export function serveProjectCards({ serve }: Serving, app: App): void {
  serve(projects.listProjects, async ({ caller }) => {
    const user = asUser(caller)
    const followed = await followedProjectIds(app, user)
    const rows = await visibleProjects(app, user)
    return {
      items: await Promise.all(rows.map((project) => projectCard(app, project, followed.has(project.id)))),
      next_page_token: null,
    }
  })
  serve(projects.addProject, async ({ caller, body }) => {
    const made = await addProject(app.world, asUser(caller), body.url, body.organization, body.name, body.provider)
    return {
      project: await projectCard(app, made.project, true),
      checkout_key: { public_key: made.publicKey, fingerprint: made.fingerprint },
    }
  })
}

/** A job with its steps. */
export function serveJobPage({ serve }: Serving, app: App): void {
  serve(job.getJobPage, async ({ caller, params, query }) => {
    const facts = await jobFor(app, caller, 'read', params.id)
    const { job: row, pipeline, project, stored } = facts
    const { node = 0 } = query
    if (node >= row.parallelism) throw new Refusal('not-found', 'Node not found.')
    const steps = (await stepsFor(app, row)).filter((step) => step.node === node)
    const begun = new Map(steps.map((step) => [step.position, step]))
    const waiting = await whyWaiting(app, row, stored.jobs)
    // What was never to run, as its commit asked, has nothing that it would have done.
    const planned = row.kind === 'build' && row.body_hash !== null ? (await app.bodyOf(row)).steps : []
    return {
      id: row.id,
      number: row.number,
      name: row.name,
      status: jobWord[row.status as JobStatus],
      project_slug: slugOf(app.world, project),
      workflow: { id: stored.row.id, name: stored.row.name },
      pipeline: { id: pipeline.id, number: pipeline.number },
      waiting: waiting?.message ?? null,
      waits_for: waiting ?? null,
      failure: row.reason ?? row.denied,
      messages: messagesOf(row.reason ?? row.denied, waiting),
      started_at: row.started_at,
      stopped_at: row.stopped_at,
      nodes: (await nodesFor(app, row)).map((one) => ({
        index: one.index,
        status: jobWord[one.status],
        started_at: one.startedAt,
        stopped_at: one.stoppedAt,
      })),
      node,
      steps: planned.map((step, index) => {
        const now = begun.get(index)
        return {
          index,
          name: step.name,
          type: step.type,
          command: 'command' in step ? step.command : null,
          status: (now?.status ?? 'waiting') as job.JobStep['status'],
          started_at: now?.started_at ?? null,
          ended_at: now?.ended_at ?? null,
          exit_code: now?.exit_code ?? null,
          log_size: now?.log_size ?? 0,
          log_whole: now !== undefined && now.log_state !== 'live',
        }
      }),
    }
  })
}

/** What the jobs of a workflow wait for. */
export function serveWaiting({ serve }: Serving, app: App): void {
  serve(job.getWaitingJobs, async ({ caller, params }) => {
    const { stored } = await workflowFor(app, caller, 'read', params.id)
    const items = []
    for (const row of stored.jobs) {
      const waits_for = await whyWaiting(app, row, stored.jobs)
      if (waits_for) items.push({ job_id: row.id, name: row.name, waits_for })
    }
    return { items }
  })
}
