import type { Server } from '#cli/server.ts'
import { getWaitingJobs, type waitingFor } from '#contract/rh/job.ts'
import type { PipelineView } from '#cli/pipeline-view.ts'

type Reason = (typeof waitingFor)[number]

/** What no patience brings: this machine is the only one there is. */
const hopeless: ReadonlySet<Reason> = new Set(['executor', 'resource-class', 'label'])

const patienceMs = 2_000

/** Gives up workflows that wait for what this machine cannot do. */
export async function settleStuck(
  server: Server,
  { workflows }: PipelineView,
  now: number,
  giveUp: (workflow: string, why: string) => Promise<void>,
): Promise<void> {
  for (const { workflow, jobs } of workflows) {
    if (workflow.stopped_at !== null || now - Date.parse(workflow.created_at) < patienceMs) continue
    if (jobs.some(({ status }) => status === 'running') || !jobs.some(({ status }) => status === 'queued')) continue
    const { items } = await server.rh(getWaitingJobs, { params: { id: workflow.id } })
    const stuck = items.find(({ waits_for }) => hopeless.has(waits_for.for))
    if (stuck) await giveUp(workflow.id, `Cannot run job ${stuck.name} here: ${stuck.waits_for.message}`)
  }
}
