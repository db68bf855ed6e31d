import { jobById } from '#server/store/jobs.ts'
import { leaseOf } from '#server/store/leases.ts'
import { placeOf } from '#server/store/serial-places.ts'
import { stepsOf, type StepRow } from '#server/store/steps.ts'
import type { JobRow } from '#server/store/workflows.ts'
import { allAgents } from '#server/store/agents.ts'
import { later, type Instant } from '#kit/brand.ts'
import type { App } from './app.ts'
import { whyInLine } from './serial-lines.ts'

export type { StepRow }

/** The numbers of the jobs that others stand for. */
export async function numbersOfReused({ world }: App, jobs: readonly JobRow[]): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>()
  for (const { reused_from: from } of jobs) {
    const job = from === null ? undefined : await jobById(world.db, { id: from })
    if (job?.number != null) numbers.set(job.id, job.number)
  }
  return numbers
}

/** The steps of a job, or of the job it stands for, as far as they have begun. */
export const stepsFor = ({ world }: App, job: JobRow): Promise<StepRow[]> =>
  stepsOf(world.db, job.reused_from ?? job.id)

/** Why a job waits, for a person; nothing when it does not. */
export async function whyWaiting(
  { world }: Pick<App, 'world'>,
  job: JobRow,
  siblings: readonly JobRow[],
): Promise<string | null> {
  switch (job.status) {
    case 'blocked': {
      const needs = new Set((JSON.parse(job.needs) as { readonly job: string }[]).map((need) => need.job))
      const open = siblings.filter((other) => needs.has(other.id) && other.stopped_at === null)
      const lock = open.find((other) => other.kind === 'lock' && other.status === 'queued')
      return lock ? whyWaiting({ world }, lock, siblings) : `Waits for ${open.map(({ name }) => name).join(', ')}`
    }
    case 'on_hold':
      return 'Waits for somebody to approve it'
    case 'queued': {
      const place = job.kind === 'lock' ? await placeOf(world.db, { job: job.id }) : undefined
      if (place) return whyInLine(world, place)
      return waitingForAgent(await allAgents(world.db), job, world.now())
    }
    case 'running':
      return (await leaseOf(world.db, { job: job.id }))?.started === 0 ? 'Handed to an agent' : null
    default:
      return null
  }
}

function waitingForAgent(agents: Awaited<ReturnType<typeof allAgents>>, job: JobRow, now: Instant): string {
  const alive = agents.filter(
    (agent) => agent.instance !== null && agent.seen_at !== null && later(agent.seen_at as Instant, 120_000) > now,
  )
  if (alive.length === 0) return 'Waits for an agent: none is connected'
  const fitting = alive.filter((agent) => {
    const classes = JSON.parse(agent.resource_classes) as string[]
    return classes.length === 0 || classes.includes(job.resource_class)
  })
  if (fitting.length === 0)
    return `Waits for an agent with resource class ${job.resource_class}: none of the ${alive.length} connected has it`
  return 'Waits for a free slot: every agent that could run it is busy'
}
