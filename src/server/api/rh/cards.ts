import * as pipelines from '#contract/rh/pipelines.ts'
import type { PipelineGlance, ProjectCard } from '#contract/rh/projects.ts'
import { systemActor } from '#core/names.ts'
import { slugOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import type { ProjectRow } from '#server/app/find.ts'
import { projectFor, asUser } from '#server/app/permissions.ts'
import { type FoundPipeline, newestOfProject, searchPipelines } from '#server/app/pipeline-search.ts'
import { workflowWord } from '#core/status-words.ts'
import type { WorkflowStatus } from '#core/workflow-status.ts'
import type { World } from '#server/app/world.ts'
import type { Serving } from '#server/api/serve.ts'

const mostBranches = 4

/** A project with the state of the branches that were built last. */
export async function projectCard(app: App, project: ProjectRow, followed: boolean): Promise<ProjectCard> {
  const newest = (await newestOfProject(app, project)).map(glance)
  const named = newest.filter(({ branch }) => branch !== null)
  const branches = [...new Map(named.toReversed().map((one) => [one.branch, one])).values()].toReversed()
  const main = branches.find(({ branch }) => branch === project.default_branch)
  return {
    id: project.id,
    slug: slugOf(app.world, project),
    name: project.name,
    organization: project.organization,
    default_branch: project.default_branch,
    public: project.public === 1,
    followed,
    last_pipeline: newest[0] ?? null,
    branches: [...new Set([...(main ? [main] : []), ...branches])].slice(0, mostBranches),
  }
}

const glance = ({ pipeline, revision, status }: FoundPipeline): PipelineGlance => ({
  id: pipeline.id,
  number: pipeline.number,
  state: pipeline.state as PipelineGlance['state'],
  status: status === undefined ? null : workflowWord[status],
  branch: pipeline.branch,
  tag: pipeline.tag,
  subject: revision?.commit.subject ?? null,
  created_at: pipeline.created_at,
})

/** Pipelines by what somebody looks for. */
export function servePipelineSearch({ serve }: Serving, app: App): void {
  serve(pipelines.findPipelines, async ({ caller, query }) => {
    const user = asUser(caller)
    const [provider = '', org = '', ...repo] = (query.project ?? '').split('/')
    const wanted = {
      project:
        query.project === undefined
          ? undefined
          : await projectFor(app.world, caller, 'read', { provider, org, repo: repo.join('/') }),
      branch: query.branch,
      look: query.look,
      mine: query.mine === true,
    }
    const { items, next } = await searchPipelines(app, user, wanted, query['page-token'])
    return { items: items.map((found) => entry(app.world, found)), next_page_token: next }
  })
}

function entry(world: World, found: FoundPipeline): pipelines.PipelineEntry {
  const { project, pipeline, actor, revision, status, workflows } = found
  return {
    id: pipeline.id,
    number: pipeline.number,
    project_slug: slugOf(world, project),
    state: pipeline.state as pipelines.PipelineEntry['state'],
    status: status === undefined ? null : workflowWord[status],
    errors: JSON.parse(pipeline.errors) as pipelines.PipelineEntry['errors'],
    trigger: pipeline.trigger_type as pipelines.PipelineEntry['trigger'],
    actor: actor?.login ?? systemActor.login,
    branch: pipeline.branch,
    tag: pipeline.tag,
    revision: pipeline.revision,
    subject: revision?.commit.subject ?? null,
    created_at: pipeline.created_at,
    workflows: workflows.map((row) => ({
      id: row.id,
      name: row.name,
      status: workflowWord[row.status as WorkflowStatus],
      created_at: row.created_at,
      stopped_at: row.stopped_at,
    })),
  }
}
