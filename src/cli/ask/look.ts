import { allPages } from '#cli/all-pages.ts'
import { columns } from '#cli/columns.ts'
import { type PipelineView, readPipeline } from '#cli/pipeline-view.ts'
import type { Server } from '#cli/server.ts'
import type { Output } from '#contract/endpoint.ts'
import { getWaitingJobs } from '#contract/rh/job.ts'
import { listProjects } from '#contract/rh/projects.ts'
import type { Pipeline } from '#contract/v2/pipeline.ts'
import { listPipelineWorkflows } from '#contract/v2/pipeline.ts'
import { isUuid } from '#kit/uuid.ts'
import { type About, newestPipelines } from './find.ts'
import type { Told } from './told.ts'

/** `projects`: those that one may see, each with its newest pipeline. */
export async function tellProjects(server: Server): Promise<Told> {
  const projects = await allPages((query) => server.rh(listProjects, { query }))
  const rows = projects.map(({ organization, name, slug, default_branch, last_pipeline: last }) => [
    `${organization}/${name}`,
    last ? `#${last.number}` : '-',
    last ? (last.status ?? last.state) : '-',
    last?.branch ?? last?.tag ?? default_branch ?? '-',
    slug,
  ])
  const text =
    rows.length > 0 ? columns(['PROJECT', 'NEWEST', 'STATUS', 'BRANCH', 'SLUG'], rows) : 'There are no projects'
  return { text, data: projects }
}

/** `status`: the newest pipelines of a project, or all of one pipeline. */
export async function tellStatus(
  server: Server,
  about: About,
  wanted: string | undefined,
  most: number,
): Promise<Told> {
  if (wanted !== undefined && isUuid(wanted)) return tellOne(server, wanted)
  const pipelines = await newestPipelines(server, about, most)
  const [newest] = pipelines
  if (newest && most === 1) return tellOne(server, newest.id)
  const items = await Promise.all(pipelines.map((pipeline) => withWorkflows(server, pipeline)))
  const rows = items.flatMap(({ pipeline, workflows }) => {
    const first = [`#${pipeline.number}`, refOf(pipeline), pipeline.created_at, pipeline.id]
    if (workflows.length === 0) return [[...first.slice(0, 3), '-', pipeline.state, pipeline.id]]
    return workflows.map(({ name, status, id }) => [...first.slice(0, 3), name, status, id])
  })
  const head = ['PIPELINE', 'BRANCH', 'CREATED', 'WORKFLOW', 'STATUS', 'ID']
  return { text: rows.length > 0 ? columns(head, rows) : 'There are no pipelines', data: items }
}

async function withWorkflows(server: Server, pipeline: Pipeline) {
  const params = { pipeline_id: pipeline.id }
  return { pipeline, workflows: await allPages((query) => server.v2(listPipelineWorkflows, { params, query })) }
}

/** One pipeline as it stands, with what its jobs wait for. */
async function tellOne(server: Server, id: string): Promise<Told> {
  const view = await readPipeline(server, id)
  const open = view.workflows.filter(({ workflow }) => workflow.stopped_at === null)
  const waiting = await Promise.all(
    open.map(async ({ workflow }) => (await server.rh(getWaitingJobs, { params: { id: workflow.id } })).items),
  )
  return tellPipeline(view, waiting.flat())
}

type WaitingJob = Output<typeof getWaitingJobs>['items'][number]

/** One pipeline with its jobs. */
export function tellPipeline(view: PipelineView, waiting: readonly WaitingJob[] = []): Told {
  const { pipeline, workflows } = view
  const lines = [`Pipeline #${pipeline.number} of ${pipeline.project_slug}, ${refOf(pipeline)}: ${pipeline.state}`]
  for (const { message } of pipeline.errors) lines.push(`  ${message}`)
  for (const { workflow, jobs } of workflows) {
    lines.push('', `Workflow ${workflow.name}: ${workflow.status}  ${workflow.id}`)
    const rows = jobs.map((job) => [
      `  ${job.name}`,
      job.status,
      job.job_number === undefined ? '-' : String(job.job_number),
      job.id,
    ])
    if (rows.length > 0) lines.push(columns(['  JOB', 'STATUS', 'NUMBER', 'ID'], rows))
    const ids = new Set(jobs.map(({ id }) => id))
    for (const { job_id, name, waits_for } of waiting)
      if (ids.has(job_id)) lines.push(`  ${name}: ${waits_for.message}`)
  }
  return { text: lines.join('\n'), data: { ...view, waiting } }
}

const refOf = ({ vcs }: Pipeline): string => vcs?.branch ?? vcs?.tag ?? '-'
