import type { Instant } from '#kit/brand.ts'
import type { JobId, WorkflowId } from './ids.ts'
import type { Job } from './job.ts'
import { executorKindOf } from './demand.ts'
import type { PlannedJob, PlannedWorkflow } from './plan.ts'
import type { Workflow } from './workflow.ts'

/** Says why a job may not use its contexts, or nothing when it may. */
export type DenialOf = (job: { readonly name: string; readonly contexts: readonly string[] }) => string | undefined

/** What a build without a `resource_class` gets. */
export const defaultResourceClass = 'medium'

/** The jobs of a planned workflow, in its order, none of them begun. */
export function plannedJobs(planned: PlannedWorkflow, newId: () => JobId, denialOf: DenialOf): readonly Job[] {
  const ids = new Map(planned.jobs.map((job) => [job.name, newId()]))
  const idOf = (name: string) => {
    const id = ids.get(name)
    if (id === undefined)
      throw new TypeError(`Cannot make workflow ${planned.name} as it needs job ${name}: it has none`)
    return id
  }
  return planned.jobs.map((job) => ({
    id: idOf(job.name),
    ...fresh(job),
    needs: job.needs.map((need) => ({ job: idOf(need.job), on: need.on })),
    ...denial(job, denialOf),
  }))
}

const fresh = (job: PlannedJob) => ({
  name: job.name,
  kind: job.kind,
  resourceClass: job.body?.resourceClass ?? defaultResourceClass,
  executor: job.body ? executorKindOf(job.body) : ('machine' as const),
  parallelism: job.body?.parallelism ?? 1,
  contexts: job.contexts,
  ...(job.key !== undefined && { key: job.key }),
  status: 'blocked' as const,
  attempt: 1,
})

/** The mark of a job that may not use its contexts. */
export function denial(job: Pick<Job, 'name' | 'contexts'>, denialOf: DenialOf): Pick<Job, 'denied'> {
  const denied = denialOf(job)
  return denied === undefined ? {} : { denied }
}

/** A workflow before its first command, which is `begin`. */
export function newWorkflow(id: WorkflowId, name: string, jobs: readonly Job[], at: Instant): Workflow {
  const before = new Set<JobId>()
  for (const job of jobs) {
    const missing = job.needs.find((need) => !before.has(need.job))
    if (missing)
      throw new TypeError(
        `Cannot make workflow ${id} as job ${job.id} needs ${missing.job}: it does not stand before it`,
      )
    before.add(job.id)
  }
  // Even a workflow with nothing left to do ends by a command, so that its end is told.
  return { id, name, status: 'running', createdAt: at, jobs }
}
