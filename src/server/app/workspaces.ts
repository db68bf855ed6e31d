import type { JobId, WorkflowId } from '#core/ids.ts'
import { upstreamOf } from '#core/job-graph.ts'
import type { Workflow } from '#core/workflow.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { jobById } from '#server/store/jobs.ts'
import { keepLayer, layerById, type LayerRow, layersOf, persistedBy } from '#server/store/layers.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { findWorkflow, type JobRow } from '#server/store/workflows.ts'
import { checkHeld } from './held.ts'
import { type HandedIn, storeArchive } from './exchange.ts'
import { blobKey, daysFrom, type Stored, storedAt } from './storage.ts'
import type { World } from './world.ts'

/** A layer of the workspace as one job sees it. */
export interface SeenLayer {
  readonly row: LayerRow
  readonly jobName: string
  /** The layers before it whose files it may replace. */
  readonly over: readonly string[]
}

/** How often a retry may itself be retried before we stop looking for the job that it all began with. */
const mostRetries = 200

/**
 * What the jobs before this one put into the workspace, in the order of the graph (B6). A job whose result was carried
 * over from an earlier run brings its layers along; a single build that is retried sees what it saw the first time.
 */
export async function upstreamLayers(world: World, job: string): Promise<readonly SeenLayer[]> {
  return layersAmong(world, await jobsBefore(world, job))
}

/**
 * The same for a job that unpacks them. Refused where some are gone, as when a workflow is rerun from failed weeks later: with half of
 * a workspace a job would fail for reasons that nobody finds, or not fail.
 */
export async function wholeWorkspace(world: World, job: string): Promise<readonly SeenLayer[]> {
  const before = await jobsBefore(world, job)
  const layers = await layersAmong(world, before)
  const left = new Map<string, number>()
  for (const { row } of layers) left.set(row.job_id, (left.get(row.job_id) ?? 0) + 1)
  for (const { id, steps } of await persistedBy(world.db, before.upstream.map(sourceOf))) {
    if ((left.get(id) ?? 0) >= steps) continue
    const name = before.upstream.find((of) => sourceOf(of) === id)?.name ?? id
    const days = world.terms.storage.workspaceDays
    throw new Refusal(
      'invalid',
      `What ${name} persisted to the workspace is gone: it is kept for ${days} days. Rerun the workflow from its start`,
    )
  }
  return layers
}

interface Before {
  readonly workflow: Workflow
  readonly upstream: readonly JobRow[]
}

async function jobsBefore(world: World, job: string): Promise<Before> {
  let at = orNotFound(await jobById(world.db, { id: job }), 'Job')
  for (let i = 0; i < mostRetries && at.needs === '[]' && at.retry_of !== null; i++)
    at = orNotFound(await jobById(world.db, { id: at.retry_of }), 'Job')
  const { workflow, jobs } = orNotFound(await findWorkflow(world.db, at.workflow_id as WorkflowId), 'Workflow')
  const above = upstreamOf(workflow.jobs, [at.id as JobId])
  return { workflow, upstream: jobs.filter(({ id }) => above.has(id as JobId)) }
}

async function layersAmong(world: World, { workflow, upstream }: Before): Promise<readonly SeenLayer[]> {
  const rows = await layersOf(world.db, upstream.map(sourceOf), world.now())
  const ordered = upstream.flatMap((of) =>
    rows.filter((row) => row.job_id === sourceOf(of)).map((row) => ({ row, of })),
  )
  return ordered.map(({ row, of }, index) => {
    const before = upstreamOf(workflow.jobs, [of.id as JobId])
    const isOver = (other: { readonly row: LayerRow; readonly of: JobRow }) =>
      before.has(other.of.id as JobId) || (other.of.id === of.id && other.row.node === row.node)
    return {
      row,
      jobName: of.name,
      over: ordered
        .slice(0, index)
        .filter(isOver)
        .map((other) => other.row.id),
    }
  })
}

/** The job that did the work. */
const sourceOf = (job: JobRow): string => job.reused_from ?? job.id

/** The archive of a layer that the job may see. */
export async function readLayer(world: World, lease: LeaseRow, id: string): Promise<Stored> {
  const layer = await layerById(world.db, { id })
  const seen = layer && (await upstreamLayers(world, lease.job_id)).some(({ row }) => row.id === id)
  if (!layer || !seen) throw new Refusal('not-found', 'Layer not found.')
  return storedAt(world, 'layers', layer)
}

/** Saves what a step puts into the workspace. The same step again replaces it. */
export async function saveLayer(
  world: World,
  lease: LeaseRow,
  step: number,
  bytes: AsyncIterable<Buffer> | HandedIn,
): Promise<string> {
  const { storage } = world.terms
  const id = world.newId()
  const size = await storeArchive(world, lease, blobKey('layers', id), bytes)
  const created_at = world.now()
  const row = {
    id,
    job_id: lease.job_id,
    node: lease.node,
    step,
    size,
    created_at,
    expires_at: daysFrom(created_at, storage.workspaceDays),
  }
  const before = await world.db.transaction().execute(async (tx) => {
    await checkHeld(tx, lease)
    return keepLayer(tx, row)
  })
  if (before !== undefined) await world.blobs.remove(blobKey('layers', before))
  return id
}
