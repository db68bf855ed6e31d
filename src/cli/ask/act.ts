import { parse } from 'yaml'
import { endingOf, isOver, readPipeline } from '#cli/pipeline-view.ts'
import type { Server } from '#cli/server.ts'
import { hint } from '#config/nearest.ts'
import { triggerPipeline } from '#contract/v2/pipeline.ts'
import { cancelJobById } from '#contract/v2/run.ts'
import { approveJob, cancelWorkflow, rerunWorkflow } from '#contract/v2/workflow.ts'
import { pause } from '#kit/backoff.ts'
import { type About, findJob, findProject, findWorkflow, jobsOf } from './find.ts'
import { tellPipeline } from './look.ts'
import { type Told, Unclear } from './told.ts'

type Values = Record<string, string | number | boolean>

/** `trigger`: a new pipeline; with `wait` what became of it. */
export async function triggerProject(
  server: Server,
  about: About & { readonly tag?: string | undefined },
  parameters: readonly string[],
  wait: boolean,
): Promise<Told> {
  const params = await findProject(server, about)
  const body = {
    ...(about.branch !== undefined && { branch: about.branch }),
    ...(about.tag !== undefined && { tag: about.tag }),
    ...(parameters.length > 0 && { parameters: valuesOf(parameters) }),
  }
  const made = await server.v2(triggerPipeline, { params, body })
  if (!wait) return { text: `Pipeline #${made.number}  ${made.id}`, data: made }
  let view = await readPipeline(server, made.id)
  for (; !isOver(view); view = await readPipeline(server, made.id)) await pause(1_000)
  return { ...tellPipeline(view), bad: endingOf(view) !== 'success' }
}

/** Numbers and truth values are what they look like; in quotes they are text. */
function valuesOf(written: readonly string[]): Values {
  const values: Values = {}
  for (const one of written) {
    const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(one) ?? []
    if (name === undefined) throw new Unclear(`Cannot read the parameter ${one} as it must be name=value`)
    values[name] = scalar(text)
  }
  return values
}

function scalar(text: string): string | number | boolean {
  try {
    const value: unknown = parse(text)
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : text
  } catch {
    return text
  }
}

/** What of a workflow runs again. */
export interface Again {
  readonly fromFailed: boolean
  readonly ssh: boolean
  readonly jobs: readonly string[]
}

/** `rerun`: a workflow once more, or a part of it. */
export async function rerun(server: Server, about: About, wanted: string | undefined, again: Again): Promise<Told> {
  const id = await findWorkflow(server, about, wanted)
  const jobs = again.jobs.length > 0 ? await idsOf(server, id, again.jobs) : undefined
  const body = {
    ...(again.fromFailed && { from_failed: true }),
    ...(again.ssh && { enable_ssh: true }),
    ...(jobs && { jobs: [...jobs] }),
  }
  const made = await server.v2(rerunWorkflow, { params: { id }, body })
  return { text: `Workflow ${made.workflow_id}`, data: made }
}

async function idsOf(server: Server, workflow: string, names: readonly string[]): Promise<readonly string[]> {
  const jobs = await jobsOf(server, { id: workflow })
  return names.map((name) => {
    const found = jobs.find((job) => job.name === name || job.id === name)
    if (!found)
      throw new Unclear(
        `Cannot find job ${name} in the workflow${hint(
          name,
          jobs.map((job) => job.name),
        )}`,
      )
    return found.id
  })
}

/** `cancel`: a workflow, or one job of it. */
export async function cancel(
  server: Server,
  about: About,
  wanted: string | undefined,
  job: string | undefined,
): Promise<Told> {
  if (job !== undefined) {
    const id = await findJob(server, about, job)
    const data = await server.v2(cancelJobById, { params: { job_id: id } })
    return { text: `Canceling job ${id}`, data }
  }
  const id = await findWorkflow(server, about, wanted)
  const data = await server.v2(cancelWorkflow, { params: { id } })
  return { text: `Canceling workflow ${id}`, data }
}

/** `approve`: the job on hold that is named, or the only one. */
export async function approve(
  server: Server,
  about: About,
  wanted: string | undefined,
  name: string | undefined,
): Promise<Told> {
  const id = await findWorkflow(server, about, wanted)
  const held = (await jobsOf(server, { id })).filter(({ type, status }) => type === 'approval' && status === 'on_hold')
  const found = name === undefined ? held : held.filter((job) => job.name === name || job.id === name)
  const [job, other] = found
  const names = held.map((one) => one.name)
  if (!job) {
    const what = name === undefined ? 'anything' : `job ${name}`
    throw new Unclear(
      `Cannot approve ${what} in workflow ${id} as nothing of it waits${names.length > 0 ? ` but ${names.join(', ')}` : ''}`,
    )
  }
  if (other) throw new Unclear(`Cannot tell which job is to be approved: ${names.join(' or ')}`)
  const data = await server.v2(approveJob, { params: { id, approval_request_id: job.id } })
  return { text: `Approved ${job.name}`, data }
}
