import { creditsOf, ranFor } from '#core/insights/credits.ts'
import { countedAs } from '#core/insights/run.ts'
import type { Job } from '#core/job.ts'
import type { Workflow, WorkflowEvent } from '#core/workflow.ts'
import { between, type Instant } from '#kit/brand.ts'
import { insertJobFact, insertRunFact } from '#server/store/facts.ts'
import { type PackedTable, spoilDay } from '#server/store/packed-days.ts'
import type { Tx } from '#server/store/schema.ts'
import { queueTrace } from '#server/store/traces.ts'
import type { World } from './world.ts'

/** Where the facts of a workflow belong. */
interface Place {
  readonly project_id: string
  readonly name: string
  readonly branch: string | null
}

/** What ran in another workflow, or was canceled before its turn came, is no run of this one. */
const isRun = ({ reusedFrom, status, queuedAt }: Job): boolean =>
  reusedFrom === undefined && !(status === 'canceled' && queuedAt === undefined)

/** Keeps what insights tell of builds and workflows that just ended, in the transaction that ends them: nobody sees the one without the other. */
export async function recordFacts(
  { terms }: World,
  tx: Tx,
  place: Place,
  workflow: Workflow,
  events: readonly WorkflowEvent[],
): Promise<void> {
  const branch = place.branch ?? ''
  for (const event of events) {
    if (event.type === 'job-completed') {
      const job = workflow.jobs.find(({ id }) => id === event.job)
      if (job && isRun(job)) await recordJob(job, event.at)
    } else if (event.type === 'workflow-completed') {
      let credits = 0
      for (const job of workflow.jobs) credits += creditsOf(job, terms.insights.prices)
      await insertRunFact(tx, {
        project_id: place.project_id,
        name: place.name,
        started: Date.parse(workflow.createdAt),
        id: workflow.id,
        branch,
        status: countedAs(event.status),
        duration: Math.max(0, between(workflow.createdAt, event.at)),
        credits,
      })
      await spoil('packed_runs', workflow.createdAt, event.at)
      if (terms.insights.traces) await queueTrace(tx, { workflow: workflow.id, now: event.at })
    }
  }

  /** Days that are over may be packed without it. */
  async function spoil(table: PackedTable, began: Instant, at: Instant): Promise<void> {
    if (began.slice(0, 10) === at.slice(0, 10)) return
    await spoilDay(tx, table, { project: place.project_id, workflow: place.name }, Date.parse(began))
  }

  async function recordJob(job: Job, at: Instant): Promise<void> {
    const { queuedAt, startedAt } = job
    await insertJobFact(tx, {
      project_id: place.project_id,
      workflow: place.name,
      started: Date.parse(startedAt ?? at),
      id: job.id,
      name: job.name,
      branch,
      status: countedAs(job.status),
      duration: ranFor(job),
      credits: creditsOf(job, terms.insights.prices),
      queued: queuedAt && startedAt ? Math.max(0, between(queuedAt, startedAt)) : 0,
      resource_class: job.resourceClass,
      nodes: job.parallelism,
    })
    await spoil('packed_jobs', startedAt ?? at, at)
  }
}
