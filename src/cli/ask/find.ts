import { allPages } from '#cli/all-pages.ts'
import type { Server } from '#cli/server.ts'
import { hint } from '#config/nearest.ts'
import { listProjects } from '#contract/rh/projects.ts'
import { getJob } from '#contract/v2/job.ts'
import { listPipelineWorkflows, listProjectPipelines, type Pipeline } from '#contract/v2/pipeline.ts'
import { listWorkflowJobs, type Workflow, type WorkflowJob } from '#contract/v2/workflow.ts'
import { isUuid } from '#kit/uuid.ts'
import { Unclear } from './told.ts'

/** What a command is about, where its arguments leave it open. */
export interface About {
  /** A slug, or `<organization>/<name>`. */
  readonly project: string | undefined
  readonly branch?: string | undefined
}

/** The three parts of a project's slug. */
export interface Slug {
  readonly provider: string
  readonly org: string
  readonly repo: string
}

/** The slug of the project that is meant. */
export async function findProject(server: Server, { project }: About): Promise<Slug> {
  if (project === undefined)
    throw new Unclear('Cannot tell which project is meant: say --project <organization>/<name>')
  const [first = '', second = '', third, ...more] = project.split('/')
  if (third !== undefined && more.length === 0) return { provider: first, org: second, repo: third }
  const cards = await allPages((query) => server.rh(listProjects, { query }))
  const found = cards.filter(({ organization, name }) =>
    [`${organization}/${name}`, name].some((known) => known.toLowerCase() === project.toLowerCase()),
  )
  const names = cards.flatMap(({ organization, name }) => [`${organization}/${name}`, name])
  const [card, other] = found
  if (!card) throw new Unclear(`Cannot find project ${project}${hint(project, names)}`)
  if (other)
    throw new Unclear(`Cannot tell which project ${project} is meant: ${found.map(({ slug }) => slug).join(' or ')}`)
  const [provider = '', org = '', repo = ''] = card.slug.split('/')
  return { provider, org, repo }
}

/** The newest pipelines of a project, of a branch if one is said. */
export async function newestPipelines(server: Server, about: About, most: number): Promise<readonly Pipeline[]> {
  const params = await findProject(server, about)
  const branch = about.branch === undefined ? {} : { branch: about.branch }
  return allPages((query) => server.v2(listProjectPipelines, { params, query: { ...query, ...branch } }), most)
}

/** The id of a workflow: as it was given, or by its name in the newest pipeline; the only one there unless named. */
export async function findWorkflow(server: Server, about: About, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && isUuid(wanted)) return wanted
  const [pipeline] = await newestPipelines(server, about, 1)
  if (!pipeline) throw new Unclear('Cannot find a workflow: the project has no pipeline yet')
  const params = { pipeline_id: pipeline.id }
  const workflows = await allPages((query) => server.v2(listPipelineWorkflows, { params, query }))
  const found = wanted === undefined ? workflows : workflows.filter(({ name }) => name === wanted)
  // A workflow that ran again has the name of the one before; the newest comes first.
  const names = [...new Set(found.map(({ name }) => name))]
  const [workflow] = found.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
  const known = workflows.map(({ name }) => name)
  if (!workflow)
    throw new Unclear(`Cannot find workflow ${wanted ?? ''} in pipeline ${pipeline.number}${hint(wanted ?? '', known)}`)
  if (names.length > 1) throw new Unclear(`Cannot tell which workflow is meant: ${names.join(' or ')}`)
  return workflow.id
}

/** A job by its id, by its number in a project, or by its name in the newest pipeline. */
export async function findJob(server: Server, about: About, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted
  if (/^[1-9]\d{0,9}$/.test(wanted)) {
    const number = Number(wanted)
    const params = { ...(await findProject(server, about)), job_number: number }
    const { latest_workflow } = await server.v2(getJob, { params })
    const job = (await jobsOf(server, latest_workflow)).find(({ job_number }) => job_number === number)
    if (job) return job.id
    throw new Unclear(`Cannot find job ${number} in its workflow`)
  }
  const [pipeline] = await newestPipelines(server, about, 1)
  if (!pipeline) throw new Unclear('Cannot find a job: the project has no pipeline yet')
  const params = { pipeline_id: pipeline.id }
  const workflows = await allPages((query) => server.v2(listPipelineWorkflows, { params, query }))
  const jobs = (await Promise.all(workflows.map((workflow) => jobsOf(server, workflow)))).flat()
  const found = jobs.filter(({ name }) => name === wanted)
  const [job] = found.toSorted((a, b) => ((a.started_at ?? '') < (b.started_at ?? '') ? 1 : -1))
  if (job) return job.id
  throw new Unclear(
    `Cannot find job ${wanted} in pipeline ${pipeline.number}${hint(
      wanted,
      jobs.map(({ name }) => name),
    )}`,
  )
}

/** The jobs of a workflow. */
export const jobsOf = (server: Server, { id }: Pick<Workflow, 'id'>): Promise<readonly WorkflowJob[]> =>
  allPages((query) => server.v2(listWorkflowJobs, { params: { id }, query }))
