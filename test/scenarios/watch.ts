import { getJobPage } from '#contract/rh/job.ts'
import type { Pipeline } from '#contract/v2/pipeline.ts'
import { listPipelineWorkflows, listProjectPipelines } from '#contract/v2/pipeline.ts'
import { listWorkflowJobs, type Workflow, type WorkflowJob } from '#contract/v2/workflow.ts'
import type { Service } from '#test/api/service.ts'

/** A machine may be ten times as busy as usual. */
const deadlineMs = 120_000

/** What happens in one project, seen as its owner sees it over the interface. */
export function watch(service: Service, repo: string, token: string) {
  const params = { provider: 'provider-a', org: 'acme', repo }

  const pipelines = async (): Promise<readonly Pipeline[]> =>
    (await service.call(listProjectPipelines, { params, query: {} }, token)).items

  /** The pipeline of a branch or tag, once it is more than pending. */
  const pipelineOf = (ref: string): Promise<Pipeline> =>
    service.until(async () =>
      (await pipelines()).find(({ state, vcs }) => !state.endsWith('pending') && (vcs?.branch ?? vcs?.tag) === ref),
    )

  const workflowsOf = async (pipeline_id: string): Promise<readonly Workflow[]> =>
    (await service.call(listPipelineWorkflows, { params: { pipeline_id }, query: {} }, token)).items

  const jobsOf = async (id: string): Promise<readonly WorkflowJob[]> =>
    (await service.call(listWorkflowJobs, { params: { id }, query: {} }, token)).items

  return {
    pipelines,
    pipelineOf,
    jobsOf,
    /** The first workflow of a branch or tag. */
    workflowOf: async (ref: string): Promise<Workflow> => {
      const [workflow] = await workflowsOf((await pipelineOf(ref)).id)
      if (!workflow) throw new Error(`Cannot find a workflow of ${ref}`)
      return workflow
    },
    /** Waits for a workflow to be so. */
    workflowIs: (id: string, pipeline: string, ...statuses: readonly string[]): Promise<Workflow> =>
      service.until(
        async () => (await workflowsOf(pipeline)).find((one) => one.id === id && statuses.includes(one.status)),
        deadlineMs,
      ),
    /** Waits for a job to be so. */
    jobIs: (workflow: string, name: string, ...statuses: readonly string[]): Promise<WorkflowJob> =>
      service.until(
        async () => (await jobsOf(workflow)).find((job) => job.name === name && statuses.includes(job.status)),
        deadlineMs,
      ),
    /** How every job of a workflow stands. */
    statuses: async (id: string) => Object.fromEntries((await jobsOf(id)).map(({ name, status }) => [name, status])),
    /** The log of one step of a job, by the name of the step. */
    logOf: async (id: string, step: string): Promise<string> => {
      const { steps } = await service.call(getJobPage, { params: { id }, query: {} }, token)
      const index = steps.find(({ name }) => name === step)?.index
      if (index === undefined)
        throw new Error(`Cannot find step ${step} in ${steps.map(({ name }) => name).join(', ')}`)
      return (await service.ask({ method: 'GET', path: `/api/rh/v1/job/${id}/step/${index}/log`, token })).text
    },
  }
}
