import { between, type Instant } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import type { JobId } from './ids.ts'
import { downstreamOf, upstreamOf } from './job-graph.ts'
import type { Job, JobStatus } from './job.ts'
import { anyEnding } from './plan.ts'
import { denial, type DenialOf } from './new-workflow.ts'
import { groupOf } from './serial.ts'
import type { Workflow } from './workflow.ts'
import { isTerminal } from './workflow-status.ts'

/** What to run again: everything, unless something is said. */
export interface RerunRequest {
  readonly fromFailed?: boolean
  /** These and everything that depends on them. An empty list is as none. */
  readonly jobs?: readonly JobId[]
  /** Of `jobs`: only these and what lies between them. */
  readonly sparseTree?: boolean
  /** Of `jobs`: lets the caller into the machines of these. */
  readonly enableSsh?: boolean
}

/** What a rerun needs to know that the workflow does not say. */
export interface RerunTerms {
  readonly at: Instant
  /** How often the workflow was rerun, with the reruns of its reruns. */
  readonly reruns: number
  readonly newId: () => JobId
  /** Answers for whoever asks for the rerun, not for whoever began the workflow. */
  readonly denialOf: DenialOf
}

/** One job of the new workflow. */
export interface RerunJob {
  readonly job: Job
  /** The job it repeats or stands for: what it does is what that one did. */
  readonly from: JobId
  readonly ssh: boolean
}

/** The jobs of the workflow that runs another one again, in dependency order (§4.3). */
export function rerun(workflow: Workflow, request: RerunRequest, terms: RerunTerms): readonly RerunJob[] {
  checkRequest(request)
  checkLimits(workflow, terms)
  // A job that was retried lives on in its retry.
  const jobs = workflow.jobs.filter((job) => job.status !== 'retried')
  const listed = new Set(request.jobs?.map((id) => currentJob(workflow, id)))
  const again = withGroups(jobs, runAgain(jobs, request, listed))
  const kept = keep(jobs, request, again)
  const ids = new Map(jobs.filter((job) => again.has(job.id) || kept.has(job.id)).map((job) => [job.id, terms.newId()]))
  return jobs.flatMap((job) => {
    const id = ids.get(job.id)
    if (id === undefined) return []
    const needs = job.needs.flatMap((need) => {
      const needed = ids.get(need.job)
      return needed === undefined ? [] : [{ ...need, job: needed }]
    })
    const copy = again.has(job.id) ? anew(job, id, needs, terms) : carriedOver(job, id, needs)
    return [{ job: copy, from: job.id, ssh: request.enableSsh === true && listed.has(job.id) }]
  })
}

/**
 * The jobs of the workflow that retries one build of generation 1.1: it waits for nobody but, between a lock and an unlock as before,
 * for its serial group.
 */
export function retryJob(
  workflow: Workflow,
  id: JobId,
  terms: Pick<RerunTerms, 'newId' | 'denialOf'>,
): readonly Pick<RerunJob, 'job' | 'from'>[] {
  const job = workflow.jobs.find((candidate) => candidate.id === id)
  if (!job) throw new Refusal('not-found', 'Build not found.')
  if (job.kind !== 'build')
    throw new Refusal('invalid', `Cannot retry job ${id} as it must be a build: it is ${job.kind}`)
  const own = { job: anew(job, terms.newId(), [], terms), from: id }
  const lock = workflow.jobs.find((other) => other.kind === 'lock' && groupOf(workflow.jobs, other).has(id))
  if (!lock) return [own]
  const before = anew(lock, terms.newId(), [], terms)
  const after = { ...anew(lock, terms.newId(), [], terms), name: `${job.name}-unlock`, kind: 'unlock' as const }
  return [
    { job: before, from: lock.id },
    { job: { ...own.job, needs: [{ job: before.id, on: ['success'] }] }, from: id },
    { job: { ...after, needs: [{ job: own.job.id, on: anyEnding }] }, from: lock.id },
  ]
}

function checkRequest({ fromFailed = false, jobs = [], sparseTree = false, enableSsh = false }: RerunRequest): void {
  if (fromFailed && jobs.length > 0) throw new Refusal('invalid', 'Cannot rerun from failed as well as listed jobs')
  if (sparseTree && fromFailed) throw new Refusal('invalid', 'Cannot rerun a sparse tree from failed')
  if (sparseTree && jobs.length === 0)
    throw new Refusal('invalid', 'Cannot rerun a sparse tree as it must list jobs: it lists none')
  if (enableSsh && fromFailed) throw new Refusal('invalid', 'Cannot enable SSH in a rerun from failed')
  if (enableSsh && jobs.length === 0)
    throw new Refusal('invalid', 'Cannot enable SSH as the rerun must list jobs: it lists none')
}

const mostReruns = 100
const ninetyDays = 90 * 24 * 60 * 60 * 1000

function checkLimits(workflow: Workflow, { at, reruns }: RerunTerms): void {
  if (!isTerminal(workflow.status)) throw new Refusal('conflict', 'Workflow must be in a terminal state to be rerun')
  if (reruns >= mostReruns) {
    throw new Refusal(
      'conflict',
      `Cannot rerun workflow ${workflow.id} more than ${mostReruns} times: it was rerun ${reruns} times`,
    )
  }
  if (between(workflow.createdAt, at) >= ninetyDays) {
    throw new Refusal(
      'conflict',
      `Cannot rerun workflow ${workflow.id} after 90 days: it was created at ${workflow.createdAt}`,
    )
  }
}

/** The job itself, or the last of its automatic retries. */
function currentJob(workflow: Workflow, id: JobId): JobId {
  if (!workflow.jobs.some((job) => job.id === id)) {
    throw new Refusal('invalid', `Cannot rerun job ${id} as it must be part of workflow ${workflow.id}: it is not`)
  }
  // A retry stands after what it retries, so one pass finds the last of a chain.
  return workflow.jobs.reduce((current, job) => (job.retryOf === current ? job.id : current), id)
}

const failures: readonly JobStatus[] = ['failed', 'infrastructure_fail', 'timedout', 'canceled', 'unauthorized']

function runAgain(jobs: readonly Job[], request: RerunRequest, listed: ReadonlySet<JobId>): ReadonlySet<JobId> {
  const all = jobs.map((job) => job.id)
  if (request.fromFailed === true) {
    if (!jobs.some((job) => failures.includes(job.status))) {
      throw new Refusal('invalid', 'Cannot rerun from failed as a job must have failed: none has')
    }
    return new Set(jobs.filter((job) => job.status !== 'success').map((job) => job.id))
  }
  if (listed.size === 0) return new Set(all)
  const after = downstreamOf(jobs, listed)
  const before = upstreamOf(jobs, listed)
  const wanted = (id: JobId) => listed.has(id) || (after.has(id) && (request.sparseTree !== true || before.has(id)))
  return new Set(all.filter(wanted))
}

/** What stands between a lock and its unlock runs again together, for nothing is held any more of what was. */
function withGroups(jobs: readonly Job[], again: ReadonlySet<JobId>): ReadonlySet<JobId> {
  const all = new Set(again)
  for (const lock of jobs) {
    if (lock.kind !== 'lock') continue
    const group = groupOf(jobs, lock)
    if ([...group].some((id) => again.has(id))) for (const id of group) all.add(id)
  }
  return all
}

/** What is not run again but stands in the new workflow with what it made. */
function keep(jobs: readonly Job[], request: RerunRequest, again: ReadonlySet<JobId>): ReadonlySet<JobId> {
  const wanted = request.sparseTree === true ? upstreamOf(jobs, again) : new Set(jobs.map((job) => job.id))
  return new Set(
    jobs.filter((job) => job.status === 'success' && wanted.has(job.id) && !again.has(job.id)).map((job) => job.id),
  )
}

function anew(job: Job, id: JobId, needs: Job['needs'], { denialOf }: Pick<RerunTerms, 'denialOf'>): Job {
  const { name, kind, resourceClass, executor, parallelism, contexts, key } = job
  return {
    id,
    name,
    kind,
    needs,
    resourceClass,
    executor,
    parallelism,
    contexts,
    ...(key !== undefined && { key }),
    status: 'blocked',
    attempt: 1,
    ...denial(job, denialOf),
  }
}

function carriedOver(job: Job, id: JobId, needs: Job['needs']): Job {
  const { retryOf: _retryOf, denied: _denied, ...rest } = job
  // Always the job that really ran, so that its artifacts are one step away however often it is carried over.
  return { ...rest, id, needs, attempt: 1, reusedFrom: job.reusedFrom ?? job.id }
}
