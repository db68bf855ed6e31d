import type { JobPage } from '#contract/rh/job.ts'
import { getJobPage } from '#contract/rh/job.ts'
import {
  listPipelineWorkflows,
  listProjectPipelines,
  type Pipeline,
  triggerPipeline,
  type TriggeredPipeline,
} from '#contract/v2/pipeline.ts'
import { getProject } from '#contract/v2/project.ts'
import { createWebhook } from '#contract/v2/webhook.ts'
import { listWorkflowJobs, type Workflow, type WorkflowJob } from '#contract/v2/workflow.ts'
import { prefixes } from '#contract/catalog.ts'
import { Answered } from '#contract/client.ts'
import { type House, token } from './house.ts'
import type { Receiver } from './receiver.ts'
import { makeRepository, type Repository } from './repository.ts'
import { until } from './until.ts'

/** A workflow with its jobs, as the interface shows them. */
export interface Run {
  readonly workflow: Workflow
  readonly jobs: readonly WorkflowJob[]
}

/** A project of a house, seen only through the interface. */
export interface Project {
  readonly repository: Repository
  trigger(): Promise<TriggeredPipeline>
  /** Every pipeline, the oldest first. */
  pipelines(): Promise<readonly Pipeline[]>
  runsOf(pipeline: string): Promise<readonly Run[]>
  /** Waits until the one workflow of a pipeline has ended. */
  ended(pipeline: string, ms?: number): Promise<Run>
  page(job: string): Promise<JobPage>
  /**
   * Waits until a job of a pipeline was taken back, and lets no lease end from then on: what is done again must not be lost as well,
   * however busy the machine is. Nobody may take jobs meanwhile.
   */
  takenBack(pipeline: string): Promise<void>
  log(job: string, step: number): Promise<string>
  hook(receiver: Receiver): Promise<void>
}

/** Pushes a configuration without building it: what is built is then triggered. */
export async function makeProject(house: House, folder: string, config: string, name = 'work'): Promise<Project> {
  const repository = await makeRepository(folder, house.url, name)
  await repository.commit('Begin [skip ci]', { '.service/config.yml': config })
  await repository.push('main')
  return projectOf(house, repository, name)
}

/** A project that was pushed, or will be. */
export function projectOf(house: House, repository: Repository, name: string): Project {
  const { url, v2, rh } = house
  const params = { provider: 'provider-a', org: 'chaos', repo: name }

  async function pipelines(): Promise<readonly Pipeline[]> {
    const all: Pipeline[] = []
    for (let page = ''; ;) {
      const { items, next_page_token } = await v2(listProjectPipelines, { params, query: { 'page-token': page } })
      all.push(...items)
      if (next_page_token === null) return all.toSorted((a, b) => a.number - b.number)
      page = next_page_token
    }
  }

  async function runsOf(pipeline: string): Promise<readonly Run[]> {
    const { items } = await v2(listPipelineWorkflows, { params: { pipeline_id: pipeline }, query: {} })
    return Promise.all(
      items.map(async (workflow) => ({
        workflow,
        jobs: (await v2(listWorkflowJobs, { params: { id: workflow.id }, query: {} })).items,
      })),
    )
  }

  return {
    repository,
    async trigger() {
      // A push is noted a moment after git has answered it. Any other failure is for the caller: asking again would trigger twice.
      const settled = await until('the branch is known', async () => {
        const [asked] = await Promise.allSettled([v2(triggerPipeline, { params, body: { branch: 'main' } })])
        return asked.status === 'rejected' && isUnknownBranch(asked.reason) ? undefined : asked
      })
      if (settled.status === 'rejected') throw settled.reason
      return settled.value
    },
    pipelines,
    runsOf,
    async ended(pipeline, ms = 180_000) {
      let seen: readonly Run[] = []
      const look = async () => {
        seen = await runsOf(pipeline)
        return seen.length > 0 && seen.every(({ workflow }) => workflow.stopped_at !== null) ? seen : undefined
      }
      const what = `the workflow of pipeline ${pipeline} has ended`
      // Seldom: each look takes time from a server that has work to do, and scenarios run beside each other.
      const [run] = await until(what, look, ms, 200).catch((error: unknown) => {
        throw new Error(`${String(error)}; it is ${story(seen)}`)
      })
      if (!run) throw new Error('Cannot happen')
      return run
    },
    page: (job) => rh(getJobPage, { params: { id: job }, query: {} }),
    async takenBack(pipeline) {
      await until('the job is taken back', async () =>
        (await runsOf(pipeline)).some(({ jobs }) => jobs.some(({ status }) => status === 'retried')) ? true : undefined,
      )
      await house.kill()
      await house.start({ LEASE_SECONDS: '600' })
    },
    async log(job, step) {
      const answer = await fetch(`${url}${prefixes.rh}/job/${job}/step/${step}/log`, {
        headers: { 'service-token': token },
      })
      if (!answer.ok)
        throw new Error(`Cannot read the log of step ${step} of job ${job}: ${answer.status} ${await answer.text()}`)
      return answer.text()
    },
    async hook(receiver) {
      const { id } = await v2(getProject, { params })
      const events: ('job-completed' | 'workflow-completed')[] = ['job-completed', 'workflow-completed']
      await v2(createWebhook, {
        body: {
          name: 'chaos',
          events,
          url: receiver.url,
          scope: { id, type: 'project' },
          'verify-tls': false,
          'signing-secret': 'secret',
        },
      })
    },
  }
}

const isUnknownBranch = (error: unknown): boolean =>
  error instanceof Answered && error.message.includes('Branch not found')

/** How runs stand, in one line for a person. */
export const story = (runs: readonly Run[]): string =>
  runs
    .map(
      ({ workflow, jobs }) =>
        `${workflow.status} (${jobs.map((job) => `${job.job_number}:${job.name} ${job.status}`).join(', ')})`,
    )
    .join('; ') || 'nothing yet'
