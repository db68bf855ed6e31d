import { Refusal } from '#kit/refusal.ts'
import {
  type PipelineGlance,
  pipelinesAcross,
  pipelinesOf,
  type PipelineRow,
  workflowsBelow,
  workflowsOf,
} from '#server/store/pipelines.ts'
import {
  allProjects,
  type BuiltProject,
  lastPipeline as lastNumber,
  projectsOf,
  type ProjectRow,
  recentlyBuilt,
  recentlyBuiltFollowed,
} from '#server/store/projects.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import { organizationOfSlug } from './organizations.ts'
import type { PageOf } from './page-of.ts'
import { may } from './permissions.ts'

const pageSize = 20

export type { PageOf }

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

/** The number of a project's newest pipeline: it changes with every one that is added. */
export const lastPipelineNumber = async ({ world }: App, project: ProjectRow): Promise<number> =>
  (await lastNumber(world.db, { id: project.id }))?.last_pipeline ?? 0

/** The pipelines of a project, newest first. */
export async function projectPipelines(
  app: App,
  project: ProjectRow,
  filter: { readonly branch?: string; readonly actor?: string },
  token: string | undefined,
): Promise<PageOf<PipelineGlance>> {
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
  const items = rows.slice(0, pageSize)
  return {
    items,
    next:
      rows.length > pageSize
        ? app.cursors.write(list, { after: String(items.at(-1)?.number), filter: { branch } })
        : null,
  }
}

/** Whose pipelines a user wants to see. */
export interface UserFilter {
  readonly orgSlug?: string
  readonly mine?: boolean
}

const asked = ({ orgSlug, mine }: UserFilter) => ({ 'org-slug': orgSlug, mine: mine === true ? 'true' : undefined })

/** The pipelines of the projects that `recentProjects` found. */
export async function userPipelines(
  app: App,
  user: User,
  projects: readonly ProjectRow[],
  filter: UserFilter,
  token: string | undefined,
): Promise<PageOf<PipelineGlance>> {
  const list = `all:${user.id}`
  const page = app.cursors.read(list, token, asked(filter))
  const { 'org-slug': orgSlug, mine } = page?.filter ?? asked(filter)
  const wanted = {
    projects: projects.map(({ id }) => id),
    ...(mine === 'true' && { actor: user.id }),
    ...(page && { before: page.after }),
  }
  const rows = await pipelinesAcross(app.world.db, wanted, pageSize + 1)
  const items = rows.slice(0, pageSize)
  return {
    items,
    next:
      rows.length > pageSize
        ? app.cursors.write(list, { after: String(items.at(-1)?.id), filter: { 'org-slug': orgSlug, mine } })
        : null,
  }
}

const mostProjects = 250

/** The most recently built projects that a user follows, or of an organization, as far as the user may see them. */
export async function recentProjects(
  app: App,
  user: User,
  filter: UserFilter,
  token: string | undefined,
): Promise<readonly BuiltProject[]> {
  const orgSlug = (app.cursors.read(`all:${user.id}`, token, asked(filter))?.filter ?? asked(filter))['org-slug']
  if (orgSlug === undefined) return recentlyBuiltFollowed(app.world.db, { user: user.id, most: mostProjects })
  const organization = await organizationOfSlug(app.world, orgSlug)
  if (!organization) throw new Refusal('not-found', 'Organization not found.')
  const projects = await recentlyBuilt(app.world.db, { organization: organization.id, most: mostProjects })
  const [one] = projects
  if (!one) return []
  // Whoever belongs to the organization sees all of them, and anybody what is public: one look is enough.
  const seesAll = await may(app.world, user, 'read', { ...one, public: 0 })
  const seen = seesAll ? projects : projects.filter((project) => project.public === 1)
  if (seen.length === 0) throw new Refusal('not-found', 'Organization not found.')
  return seen
}

/** Every project the caller may see. */
export async function visibleProjects(app: App, caller: User): Promise<readonly ProjectRow[]> {
  return caller.user.admin === 1 ? allProjects(app.world.db) : projectsOf(app.world.db, { user: caller.id })
}

/** Above every id: where a list that goes down begins. */
const top = 'g'

/** A page of the workflows of a pipeline, newest first. */
export const pageOfWorkflows = (app: App, pipeline: PipelineRow, token: string | undefined) =>
  pageOf(app, `workflows:${pipeline.id}`, token, (after, most) =>
    workflowsBelow(app.world.db, { pipeline: pipeline.id, below: after === '' ? top : after, most }),
  )

/** The workflows of a pipeline, newest first. */
export async function pipelineWorkflows(app: App, pipeline: PipelineRow) {
  return (await workflowsOf(app.world.db, { pipeline: pipeline.id })).toReversed()
}
