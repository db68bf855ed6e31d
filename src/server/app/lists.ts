import { providerCode } from '#core/names.ts'
import { Refusal } from '#kit/refusal.ts'
import { organizationByName } from '#server/store/people.ts'
import { pipelinesAcross, pipelinesOf, type PipelineRow, workflowsOf } from '#server/store/pipelines.ts'
import {
  allProjects,
  followedProjects,
  projectsOf,
  projectsOfOrganization,
  type ProjectRow,
} from '#server/store/projects.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import { may } from './permissions.ts'
import { pipelineFacts, type PipelineFacts } from './find.ts'

const pageSize = 20

/** A page of a list; no `next` on the last one. */
export interface PageOf<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

/** A page of a list that goes on after an id, read as one more than is shown. */
export async function pageOf<T extends { readonly id: string }>(
  app: App,
  list: string,
  token: string | undefined,
  read: (after: string, most: number) => Promise<readonly T[]>,
): Promise<PageOf<T>> {
  const page = app.cursors.read(list, token, {})
  const rows = await read(page?.after ?? '', pageSize + 1)
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  return {
    items,
    next: last && rows.length > pageSize ? app.cursors.write(list, { after: last.id, filter: {} }) : null,
  }
}

/** The pipelines of a project, newest first. */
export async function projectPipelines(
  app: App,
  project: ProjectRow,
  filter: { readonly branch?: string; readonly actor?: string },
  token: string | undefined,
): Promise<PageOf<PipelineFacts>> {
  // Whose pipelines they are is no filter that a token could bring along.
  const list = `pipelines:${project.id}:${filter.actor ?? ''}`
  const page = app.cursors.read(list, token, { branch: filter.branch })
  const branch = page ? page.filter['branch'] : filter.branch
  const wanted = {
    ...(filter.actor !== undefined && { actor: filter.actor }),
    ...(branch !== undefined && { branch }),
    ...(page && { below: Number(page.after) }),
  }
  const rows = await pipelinesOf(app.world.db, project.id, wanted, pageSize + 1)
  const shown = rows.slice(0, pageSize)
  const items = await Promise.all(shown.map((row) => pipelineFacts(app, project, row)))
  return {
    items,
    next:
      rows.length > pageSize
        ? app.cursors.write(list, { after: String(shown.at(-1)?.number), filter: { branch } })
        : null,
  }
}

/** The pipelines of the most recently built projects that a user follows, or of those of an organization. */
export async function userPipelines(
  app: App,
  user: User,
  filter: { readonly orgSlug?: string; readonly mine?: boolean },
  token: string | undefined,
): Promise<PageOf<PipelineFacts>> {
  const list = `all:${user.id}`
  const asked = { 'org-slug': filter.orgSlug, mine: filter.mine === true ? 'true' : undefined }
  const page = app.cursors.read(list, token, asked)
  const { 'org-slug': orgSlug, mine } = page?.filter ?? asked
  const projects = await recentProjects(app, user, orgSlug)
  const wanted = {
    projects: projects.map(({ id }) => id),
    ...(mine === 'true' && { actor: user.id }),
    ...(page && { before: page.after }),
  }
  const rows = await pipelinesAcross(app.world.db, wanted, pageSize + 1)
  const shown = rows.slice(0, pageSize)
  const byId = new Map(projects.map((project) => [project.id, project]))
  const items = await Promise.all(shown.flatMap((row) => factsOf(app, byId, row)))
  return {
    items,
    next:
      rows.length > pageSize
        ? app.cursors.write(list, { after: String(shown.at(-1)?.id), filter: { 'org-slug': orgSlug, mine } })
        : null,
  }
}

function factsOf(
  app: App,
  projects: ReadonlyMap<string, ProjectRow>,
  row: PipelineRow,
): readonly Promise<PipelineFacts>[] {
  const project = projects.get(row.project_id)
  return project ? [pipelineFacts(app, project, row)] : []
}

const mostProjects = 250

async function recentProjects(app: App, user: User, orgSlug: string | undefined): Promise<readonly ProjectRow[]> {
  if (orgSlug === undefined) return (await followedProjects(app.world.db, { user: user.id })).slice(0, mostProjects)
  const [provider = '', name = ''] = orgSlug.split('/')
  const code = providerCode(provider)
  const organization = code && (await organizationByName(app.world.db, code, name))
  if (!organization) throw new Refusal('not-found', 'Organization not found.')
  const projects = await projectsOfOrganization(app.world.db, organization.id)
  const seen = await Promise.all(
    projects.map(async (project) => ((await may(app.world, user, 'read', project)) ? [project] : [])),
  )
  if (projects.length > 0 && seen.flat().length === 0) throw new Refusal('not-found', 'Organization not found.')
  return seen.flat().slice(0, mostProjects)
}

/** Every project the caller may see. */
export async function visibleProjects(app: App, caller: User): Promise<readonly ProjectRow[]> {
  return caller.user.admin === 1 ? allProjects(app.world.db) : projectsOf(app.world.db, { user: caller.id })
}

/** The newest pipeline of a project with its workflows, for a card. */
export async function lastPipeline(app: App, project: ProjectRow) {
  const [row] = await pipelinesOf(app.world.db, project.id, {}, 1)
  if (!row) return undefined
  return {
    ...(await pipelineFacts(app, project, row)),
    workflows: await workflowsOf(app.world.db, { pipeline: row.id }),
  }
}

/** The workflows of a pipeline, newest first, as its page and its list show them. */
export async function pipelineWorkflows(app: App, pipeline: PipelineRow) {
  return (await workflowsOf(app.world.db, { pipeline: pipeline.id })).toReversed()
}
