import { call, type Service, until } from './service.ts'

interface Job {
  readonly id: string
  readonly name: string
  readonly job_number: number
}

interface Details {
  readonly queued_at: string
  readonly started_at: string
  readonly stopped_at: string
}

const project = (name: string) => `/api/v2/project/gh/bench/${name}`

/** Triggers a pipeline; says when the request was sent, by the clock that the service uses too. */
export async function triggerAt(service: Service, name: string): Promise<{ readonly id: string; readonly at: number }> {
  const at = performance.timeOrigin + performance.now()
  const { id } = await call<{ readonly id: string }>(service, 'POST', `${project(name)}/pipeline`, {})
  return { id, at }
}

/** Waits until the only workflow of a pipeline has ended; says which. Looks seldom, so as not to be in the way. */
export async function endOf(service: Service, pipeline: string, everyMs: number): Promise<string> {
  let id = ''
  await until(
    async () => {
      const { items } = await call<{ readonly items: readonly { readonly id: string; readonly status: string }[] }>(
        service,
        'GET',
        `/api/v2/pipeline/${pipeline}/workflow`,
      )
      const [workflow] = items
      if (workflow && workflow.status !== 'running' && workflow.status !== 'success')
        throw new Error(`The workflow is ${workflow.status}`)
      id = workflow?.id ?? ''
      return workflow?.status === 'success'
    },
    120_000,
    everyMs,
  )
  return id
}

/** The jobs of a workflow with the instants at which they were queued, started and stopped. */
export async function jobsOf(service: Service, name: string, workflow: string): Promise<readonly (Job & Details)[]> {
  const { items } = await call<{ readonly items: readonly Job[] }>(service, 'GET', `/api/v2/workflow/${workflow}/job`)
  return Promise.all(
    items.map(async (job) => ({
      ...job,
      ...(await call<Details>(service, 'GET', `${project(name)}/job/${job.job_number}`)),
    })),
  )
}

/** From sending the trigger to the instant the service wrote down as the end of the last job: milliseconds. */
export async function timeToFinish(service: Service, name: string, everyMs: number): Promise<number> {
  const { id, at } = await triggerAt(service, name)
  const jobs = await jobsOf(service, name, await endOf(service, id, everyMs))
  // Instants are cut to whole milliseconds: on average half of one is missing.
  return Math.max(...jobs.map((job) => Date.parse(job.stopped_at))) + 0.5 - at
}
