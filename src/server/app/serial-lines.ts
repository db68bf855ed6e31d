import type { WorkflowId } from '#core/ids.ts'
import type { Instant } from '#kit/brand.ts'
import { jobById } from '#server/store/jobs.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import { lineOf, placesOfWorkflow, type PlaceRow } from '#server/store/serial-places.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import { may } from './permissions.ts'
import type { World } from './world.ts'

/** Who has a serial group. */
export interface Holder {
  readonly project: ProjectRow
  readonly pipelineNumber: number
  readonly workflow: { readonly id: string; readonly name: string }
  readonly since: Instant
}

/** Where a lock stands. */
export interface LinePlace {
  readonly place: PlaceRow
  readonly jobName: string
  /** How many are served before it. */
  readonly before: number
  readonly holder: Holder | undefined
}

/** The serial groups that a workflow waits for or holds; holders only where the caller may see them. */
export async function serialPlaces({ world }: App, caller: Caller, workflow: string): Promise<readonly LinePlace[]> {
  const places: LinePlace[] = []
  for (const place of await placesOfWorkflow(world.db, workflow)) {
    const job = await jobById(world.db, { id: place.job_id })
    const { before, holder } = await lineBefore(world, place)
    const isSeen = holder !== undefined && (await may(world, caller, 'read', holder.project))
    places.push({ place, jobName: job?.name ?? '', before, holder: isSeen ? holder : undefined })
  }
  return places
}

/** How many come before a place, and who has what it waits for. */
export async function lineBefore(
  world: World,
  place: PlaceRow,
): Promise<{ readonly before: number; readonly holder: Holder | undefined }> {
  const line = await lineOf(world.db, place.organization_id, place.serial_key)
  const before = Math.max(
    0,
    line.findIndex((other) => other.job_id === place.job_id),
  )
  const first = line[0]
  return { before, holder: first?.held_at == null ? undefined : await holderOf(world, first, first.held_at) }
}

async function holderOf(world: World, row: PlaceRow, since: string): Promise<Holder | undefined> {
  const project = await projectById(world.db, { id: row.project_id })
  const stored = await findWorkflow(world.db, row.workflow_id as WorkflowId)
  if (!project || !stored) return undefined
  const workflow = { id: stored.row.id, name: stored.row.name }
  return { project, pipelineNumber: row.pipeline_number, workflow, since: since as Instant }
}

/** Why a lock waits, for a person who may see its project and perhaps no other. */
export async function whyInLine(world: World, place: PlaceRow): Promise<string> {
  const { before, holder } = await lineBefore(world, place)
  if (!holder) return `Waits for its turn in serial group ${place.serial_key}`
  const { project, pipelineNumber, workflow } = holder
  if (project.id !== place.project_id && project.public === 0)
    return `Waits for serial group ${place.serial_key}: held by another project`
  const who = `workflow ${workflow.name} of pipeline ${pipelineNumber} of ${project.organization}/${project.name}`
  const others = before > 1 ? `, and ${before - 1} more before it` : ''
  return `Waits for serial group ${place.serial_key}: held by ${who}${others}`
}
