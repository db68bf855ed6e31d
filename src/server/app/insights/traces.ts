import { createHash } from 'node:crypto'
import type { WorkflowId } from '#core/ids.ts'
import { backoff } from '#kit/backoff.ts'
import { later } from '#kit/brand.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import { projectById } from '#server/store/projects.ts'
import { stepsOf } from '#server/store/steps.ts'
import { delayTrace, forgetTrace, takeTraces } from '#server/store/traces.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import { slugOf } from '#server/app/addresses.ts'
import type { World } from '#server/app/world.ts'

/** A workflow that is to be told to the collector, and how often it was tried. */
export interface Trace {
  readonly workflow: string
  readonly attempts: number
}

const together = 16
const patienceMs = 60_000
const mostAttempts = 8

/** Workflows that ended and were not told yet. */
export const dueTraces = (world: World): Promise<readonly Trace[]> =>
  world.db.transaction().execute((tx) => takeTraces(tx, world.now(), later(world.now(), patienceMs), together))

/** What became of it: told, or to be tried again a few times. */
export async function settleTrace(world: World, { workflow, attempts }: Trace, error: string | undefined) {
  await world.db.transaction().execute(async (tx) => {
    if (error === undefined || attempts >= mostAttempts) await forgetTrace(tx, { workflow })
    else await delayTrace(tx, { workflow, until: later(world.now(), backoff(attempts, 1_000, 600_000)) })
  })
  if (error !== undefined) world.log.warn('A trace was not taken', { workflow, attempts, error })
}

interface Spanned {
  readonly id: string
  readonly parent?: string
  readonly name: string
  readonly from: string
  readonly to: string
  readonly status: string
  readonly attributes: Readonly<Record<string, string | number>>
}

/** A workflow with its jobs and their steps as spans, as OTLP writes them in JSON; the trace is that of its pipeline. */
export async function traceBody(world: World, id: string): Promise<string | undefined> {
  const stored = await findWorkflow(world.db, id as WorkflowId)
  const pipeline = stored && (await pipelineById(world.db, { id: stored.row.pipeline_id }))
  const project = stored && (await projectById(world.db, { id: stored.row.project_id }))
  if (!stored || !pipeline || !project || stored.row.stopped_at === null) return undefined
  const { row } = stored
  const spans: Spanned[] = [
    {
      id: row.id,
      name: row.name,
      from: row.created_at,
      to: stored.row.stopped_at,
      status: row.status,
      attributes: {
        'cicd.pipeline.name': row.name,
        'cicd.pipeline.run.id': row.id,
        'roundhouse.project': slugOf(world, project),
        'roundhouse.pipeline.number': pipeline.number,
        'vcs.ref.head.revision': pipeline.revision,
        ...(pipeline.branch !== null && { 'vcs.ref.head.name': pipeline.branch }),
      },
    },
  ]
  for (const job of stored.jobs) {
    if (job.started_at === null || job.stopped_at === null || job.reused_from !== null) continue
    const attributes = { 'roundhouse.resource_class': job.resource_class, 'roundhouse.job.number': job.number ?? 0 }
    const { name, status } = job
    spans.push({ id: job.id, parent: row.id, name, from: job.started_at, to: job.stopped_at, status, attributes })
    for (const step of await stepsOf(world.db, job.id)) {
      spans.push({
        id: `${job.id} ${step.node} ${step.position}`,
        parent: job.id,
        name: step.name,
        from: step.started_at,
        to: step.ended_at ?? job.stopped_at,
        status: step.status,
        attributes: { 'roundhouse.node': step.node },
      })
    }
  }
  const trace = pipeline.id.replaceAll('-', '')
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'roundhouse' }) },
        scopeSpans: [{ scope: { name: 'roundhouse' }, spans: spans.map((span) => written(trace, span)) }],
      },
    ],
  })
}

const spanId = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 16)
const nanoseconds = (at: string): string => `${Date.parse(at)}000000`

/** What went well has status 1, what went wrong 2; what was canceled or skipped has none. */
function codeOf(status: string): number {
  if (status === 'success') return 1
  return ['failed', 'error', 'timedout', 'infrastructure_fail', 'unauthorized'].includes(status) ? 2 : 0
}

const written = (traceId: string, span: Spanned) => ({
  traceId,
  spanId: spanId(span.id),
  ...(span.parent !== undefined && { parentSpanId: spanId(span.parent) }),
  name: span.name,
  kind: 1,
  startTimeUnixNano: nanoseconds(span.from),
  endTimeUnixNano: nanoseconds(span.to < span.from ? span.from : span.to),
  attributes: attributesOf({ ...span.attributes, 'roundhouse.status': span.status }),
  status: { code: codeOf(span.status) },
})

const attributesOf = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
