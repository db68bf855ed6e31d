import type { WorkflowStatus } from '#core/workflow-status.ts'
import { worstOf } from '#core/workflow-status.ts'
import {
  type PipelineGlance,
  pipelinesAcross,
  pipelinesByIds,
  pipelinesOf,
  type PipelineRow,
  type WorkflowRow,
  workflowsOfAll,
} from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import { pipelineFacts, type PipelineFacts } from './find.ts'
import { type PageOf, visibleProjects } from './lists.ts'

/** How a pipeline can stand for somebody who looks for one. */
export type PipelineLook = 'active' | 'broken' | 'held' | 'passed' | 'canceled'

/** Which pipelines somebody looks for. */
export interface PipelineSearch {
  readonly project: ProjectRow | undefined
  readonly branch: string | undefined
  readonly look: PipelineLook | undefined
  readonly mine: boolean
}

/** A pipeline, the last run of each of its workflows, and how it stands. */
export interface FoundPipeline extends PipelineFacts {
  readonly workflows: readonly WorkflowRow[]
  readonly status: WorkflowStatus | undefined
}

const pageSize = 25
/** Rows that one question looks through: what nobody has must not cost more than what everybody has. */
const mostLooked = 1_000
const batch = 100
const mostProjects = 1_000

/** A page of what was looked for, newest first. */
export async function searchPipelines(
  app: App,
  user: User,
  wanted: PipelineSearch,
  token: string | undefined,
): Promise<PageOf<FoundPipeline>> {
  const list = `search:${user.id}`
  const filter = {
    project: wanted.project?.id ?? '',
    branch: wanted.branch ?? '',
    look: wanted.look ?? '',
    mine: String(wanted.mine),
  }
  const projects = wanted.project ? [wanted.project] : (await visibleProjects(app, user)).slice(0, mostProjects)
  const byId = new Map(projects.map((project) => [project.id, project]))
  const found: FoundPipeline[] = []
  let after = app.cursors.read(list, token, filter)?.after
  let looked = 0
  while (found.length < pageSize) {
    const glances = await candidates(app, user, wanted, projects, after)
    for (const one of await standing(app, wanted, glances, byId)) {
      if (found.length === pageSize) return { items: found, next: app.cursors.write(list, { after: after!, filter }) }
      found.push(one)
      after = placeOf(one.pipeline, wanted)
    }
    if (glances.length < batch) return { items: found, next: null }
    after = placeOf(glances.at(-1)!, wanted)
    looked += glances.length
    if (looked >= mostLooked) break
  }
  return { items: found, next: app.cursors.write(list, { after: after ?? '', filter }) }
}

/** Pipelines of one project go by number, as its indexes do; those of several by id. */
const placeOf = (row: Pick<PipelineRow, 'id' | 'number'>, { project }: PipelineSearch): string =>
  project ? String(row.number) : row.id

function candidates(
  { world }: App,
  user: User,
  { project, branch, mine }: PipelineSearch,
  projects: readonly ProjectRow[],
  after: string | undefined,
): Promise<PipelineGlance[]> {
  const actor = mine ? { actor: user.id } : {}
  if (!project) {
    const ids = projects.map(({ id }) => id)
    return pipelinesAcross(world.db, { projects: ids, ...actor, ...(after !== undefined && { before: after }) }, batch)
  }
  const filter = {
    ...actor,
    ...(branch !== undefined && { branch }),
    ...(after !== undefined && { below: Number(after) }),
  }
  return pipelinesOf(world.db, project.id, filter, batch)
}

async function standing(
  app: App,
  { branch, look }: PipelineSearch,
  glances: readonly PipelineGlance[],
  projects: ReadonlyMap<string, ProjectRow>,
): Promise<readonly FoundPipeline[]> {
  if (glances.length === 0) return []
  const ids = glances.map(({ id }) => id)
  const rows = new Map((await pipelinesByIds(app.world.db, ids)).map((row) => [row.id, row]))
  const workflows = Map.groupBy(await workflowsOfAll(app.world.db, ids), (row) => row.pipeline_id)
  const wanted = ids.flatMap((id) => {
    const row = rows.get(id)
    const project = row && projects.get(row.project_id)
    if (!row || !project || (branch !== undefined && row.branch !== branch)) return []
    const runs = lastRuns(workflows.get(id) ?? [])
    const status = worstOf(runs.map((run) => run.status as WorkflowStatus))
    return look === undefined || looksOf(row, status).includes(look) ? [{ row, project, runs, status }] : []
  })
  return Promise.all(
    // One more than a page holds tells that there is a next one.
    wanted.slice(0, pageSize + 1).map(async ({ row, project, runs, status }) => ({
      ...(await pipelineFacts(app, project, row)),
      workflows: runs,
      status,
    })),
  )
}

/** Of each workflow and its reruns the last one, newest first: what was rerun has been replaced. */
export function lastRuns(workflows: readonly WorkflowRow[]): readonly WorkflowRow[] {
  const last = new Map<string, WorkflowRow>()
  for (const row of workflows) if (row.id > (last.get(row.root_id)?.id ?? '')) last.set(row.root_id, row)
  return [...last.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1))
}

const looks: Readonly<Record<WorkflowStatus, readonly PipelineLook[]>> = {
  running: ['active'],
  failing: ['active', 'broken'],
  on_hold: ['held'],
  success: ['passed'],
  failed: ['broken'],
  error: ['broken'],
  unauthorized: ['broken'],
  canceled: ['canceled'],
  not_run: [],
}

function looksOf({ state }: PipelineRow, status: WorkflowStatus | undefined): readonly PipelineLook[] {
  if (state === 'errored') return ['broken']
  if (status === undefined) return state === 'created' ? [] : ['active']
  return looks[status]
}

/** How far back a card looks for branches. */
const cardDepth = 24

/** The newest pipelines of a project, for its card. */
export async function newestOfProject(app: App, project: ProjectRow): Promise<readonly FoundPipeline[]> {
  const { db } = app.world
  const newest = await pipelinesOf(db, project.id, {}, cardDepth)
  // The branch that matters most has its place, however long ago it was built.
  const main = await pipelinesOf(db, project.id, { branch: project.default_branch ?? '' }, 1)
  const glances = [...new Map([...newest, ...main].map((one) => [one.id, one])).values()]
  const all: PipelineSearch = { project, branch: undefined, look: undefined, mine: false }
  return standing(app, all, glances, new Map([[project.id, project]]))
}
