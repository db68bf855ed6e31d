import type { Server } from './server.ts'
import { getJobPage, type JobPage, type JobStep } from '#contract/rh/job.ts'
import { readLog } from '#contract/rh/log.ts'

/** The pages of a job: one for each of its nodes. */
export async function readNodes(server: Server, job: string): Promise<readonly JobPage[]> {
  const first = await server.rh(getJobPage, { params: { id: job }, query: {} })
  const others = first.nodes
    .filter(({ index }) => index !== first.node)
    .map(({ index }) => server.rh(getJobPage, { params: { id: job }, query: { node: index } }))
  return [first, ...(await Promise.all(others))]
}

/** What a step printed from one byte on, up to what can be read now. */
export const openStep = (server: Server, page: JobPage, step: JobStep, from = 0): ReturnType<Server['open']> =>
  server.open(readLog, {
    params: { id: page.id, index: step.index },
    query: { from, to: step.log_size, node: page.node },
  })

/** The same, at once: for pieces that are small. */
export async function readStep(server: Server, page: JobPage, step: JobStep, from = 0): Promise<Buffer> {
  if (step.log_size <= from) return Buffer.alloc(0)
  return Buffer.concat(await Array.fromAsync(await openStep(server, page, step, from)))
}

/** Whether more of a step will come that has ended: whoever shows steps one after another shows it before those behind it. */
export const lacksEnd = ({ status, ended_at, log_whole }: JobStep): boolean =>
  ended_at !== null && !log_whole && status !== 'skipped'

/** The step that made a job fail, of the first node that has one. */
export function failedStep(pages: readonly JobPage[]): { readonly page: JobPage; readonly step: JobStep } | undefined {
  for (const page of pages) {
    const step = page.steps.find(({ status }) => isBad.has(status))
    if (step) return { page, step }
  }
  return undefined
}

const isBad: ReadonlySet<string> = new Set(['failed', 'timedout', 'infrastructure_fail'])

/** How a step ended, in words behind its name. */
export function stepEnding({ status, exit_code }: JobStep): string {
  switch (status) {
    case 'failed':
      return exit_code === null ? 'failed' : `exited with ${exit_code}`
    case 'timedout':
      return 'took too long'
    case 'infrastructure_fail':
      return 'could not be run'
    default:
      return status
  }
}
