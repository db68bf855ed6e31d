import { type Demand, demandText, type ExecutorKind, lacking, type Offer, toDemand } from '#core/demand.ts'
import { type Instant, later } from '#kit/brand.ts'
import { type AgentRow, allAgents } from '#server/store/agents.ts'
import { leaseCounts, leasesOfJob } from '#server/store/leases.ts'
import { limitsOf, runningUnder } from '#server/store/limits.ts'
import { organizationById } from '#server/store/people.ts'
import { projectById } from '#server/store/projects.ts'
import { demandsInLine, placeOf, placesBefore } from '#server/store/queue.ts'
import { placeOf as serialPlaceOf } from '#server/store/serial-places.ts'
import type { JobRow } from '#server/store/workflows.ts'
import type { App } from './app.ts'
import { offerOf } from './assignments.ts'
import { whyInLine } from './serial-lines.ts'
import type { World } from './world.ts'

/** What a job can wait for. */
export type WaitingFor =
  | 'jobs'
  | 'approval'
  | 'serial-group'
  | 'project-limit'
  | 'organization-limit'
  | 'agent'
  | 'executor'
  | 'resource-class'
  | 'label'
  | 'paused-agents'
  | 'obstructed-agents'
  | 'slot'
  | 'first-word'

/** Why a job waits, in a word and in a sentence. */
export interface Waiting {
  readonly for: WaitingFor
  readonly message: string
}

/** An agent that says nothing for this long is not counted on. */
export const silentMs = 120_000

/** Whether an agent was heard of lately. */
export const isThere = ({ instance, seen_at }: AgentRow, now: Instant): boolean =>
  instance !== null && seen_at !== null && later(seen_at as Instant, silentMs) > now

/** Why a job waits; nothing when it does not. */
export async function whyWaiting(
  { world }: Pick<App, 'world'>,
  job: JobRow,
  siblings: readonly JobRow[],
): Promise<Waiting | undefined> {
  switch (job.status) {
    case 'blocked':
      return waitingForJobs(world, job, siblings)
    case 'on_hold':
      return { for: 'approval', message: 'Waits for somebody to approve it' }
    case 'queued':
      if (job.kind === 'lock') return waitingInLine(world, job)
      return (await waitingForLeave(world, job)) ?? waitingForAgent(world, job)
    case 'running': {
      const leases = await leasesOfJob(world.db, { job: job.id })
      return leases.length > 0 && leases.every(({ started }) => started === 0)
        ? { for: 'first-word', message: 'Handed to an agent' }
        : undefined
    }
    default:
      return undefined
  }
}

/** A lock that is not held yet says who holds it, rather than its own name. */
async function waitingForJobs(world: World, job: JobRow, siblings: readonly JobRow[]): Promise<Waiting> {
  const needs = new Set((JSON.parse(job.needs) as { readonly job: string }[]).map((need) => need.job))
  const open = siblings.filter((other) => needs.has(other.id) && other.stopped_at === null)
  const lock = open.find((other) => other.kind === 'lock' && other.status === 'queued')
  const inLine = lock && (await waitingInLine(world, lock))
  return inLine ?? { for: 'jobs', message: `Waits for ${open.map(({ name }) => name).join(', ')}` }
}

async function waitingInLine(world: World, lock: JobRow): Promise<Waiting | undefined> {
  const place = await serialPlaceOf(world.db, { job: lock.id })
  return place && { for: 'serial-group', message: await whyInLine(world, place) }
}

/** A limit of running jobs that is reached. */
async function waitingForLeave({ db }: World, job: JobRow): Promise<Waiting | undefined> {
  for (const limit of await limitsOf(db, { project: job.project_id })) {
    if (limit.most_running === null || (await runningUnder(db, limit)) < limit.most_running) continue
    const isProject = limit.subject === 'project'
    const owner = isProject ? projectById(db, { id: limit.subject_id }) : organizationById(db, { id: limit.subject_id })
    const who = `${limit.subject} ${(await owner)?.name ?? ''}`
    return {
      for: isProject ? 'project-limit' : 'organization-limit',
      message: `Waits until less runs: ${who} may run ${nodes(limit.most_running)} at once`,
    }
  }
  return undefined
}

const nodes = (count: number): string => (count === 1 ? '1 job' : `${count} jobs`)

async function waitingForAgent({ db, now }: World, job: JobRow): Promise<Waiting> {
  const project = await projectById(db, { id: job.project_id })
  const agents = (await allAgents(db)).filter(
    ({ organization_id }) => organization_id === null || organization_id === project?.organization_id,
  )
  const there = agents.filter((agent) => isThere(agent, now()))
  const demand = toDemand(demandText(job.executor as ExecutorKind, job.resource_class))
  if (there.length === 0) return { for: 'agent', message: `Waits for an agent: none is connected${known(agents)}` }
  const fitting = there.filter((agent) => lacking(offerOf(agent), demand) === undefined)
  if (fitting.length === 0) return missing(there, demand)
  const working = fitting.filter(({ mode }) => mode === 'working')
  if (working.length === 0) {
    const said = fitting.map(({ name, mode }) => `${name} is ${mode}`).join(', ')
    return { for: 'paused-agents', message: `Waits for an agent that takes jobs: ${said}` }
  }
  const able = working.filter(({ obstacle }) => obstacle === null)
  if (able.length === 0) {
    const said = working.map(({ name, obstacle }) => `${name} (${obstacle})`).join(', ')
    return { for: 'obstructed-agents', message: `Waits for an agent that can take jobs: ${said}` }
  }
  return { for: 'slot', message: await slotMessage(db, job, able) }
}

const known = (agents: readonly AgentRow[]): string => {
  const gone = agents.filter(({ instance }) => instance !== null).map(({ name }) => name)
  return gone.length === 0 ? '' : ` (last known: ${gone.slice(0, 10).join(', ')})`
}

async function slotMessage(db: World['db'], job: JobRow, working: readonly AgentRow[]): Promise<string> {
  const busy = await leaseCounts(db)
  const slots = working.reduce((sum, agent) => sum + agent.slots, 0)
  const used = working.reduce((sum, agent) => sum + (busy.get(agent.id) ?? 0), 0)
  const offers = working.map(offerOf)
  const demands = (await demandsInLine(db, {})).map(({ demand }) => demand)
  const rivals = demands.filter((demand) => offers.some((offer) => lacking(offer, toDemand(demand)) === undefined))
  const place = await placeOf(db, job.id)
  const most = 1000
  const ahead = place ? await placesBefore(db, rivals, place, most) : 0
  const line = ahead === 0 ? 'it is next' : `${ahead >= most ? `at least ${most}` : ahead} ahead of it`
  return `Waits for a free slot: ${used} of ${slots} are busy, ${line}`
}

const systems: Readonly<Record<string, string>> = {
  docker: 'that runs containers (docker)',
  machine: 'that runs machine jobs',
  macos: 'on macOS',
  windows: 'on Windows',
  'arm-docker': 'on an Arm processor that runs containers (docker)',
  'arm-machine': 'on an Arm processor that runs machine jobs',
}

/** What the nearest agents lack, and what there is instead. */
function missing(agents: readonly AgentRow[], demand: Demand): Waiting {
  const offers = agents.map((agent) => ({ name: agent.name, offer: offerOf(agent) }))
  const lacks = offers.map(({ offer }) => lacking(offer, demand))
  const there = (of: (offer: Offer) => readonly string[], none: string) =>
    offers
      .slice(0, 10)
      .map(({ name, offer }) => `${name} (${of(offer).join(', ') || none})`)
      .join(', ')
  if (lacks.includes('labels'))
    return {
      for: 'label',
      message: `Waits for an agent with ${demand.labels.map((label) => `label ${label}`).join(' and ')}: there are ${there((offer) => offer.labels, 'no label')}`,
    }
  if (lacks.includes('resourceClasses'))
    return {
      for: 'resource-class',
      message: `Waits for an agent with resource class ${demand.resourceClass}: there are ${there((offer) => offer.resourceClasses, 'any')}`,
    }
  return {
    for: 'executor',
    message: `Waits for an agent ${systems[demand.executor] ?? `with executor ${demand.executor}`}: there are ${there((offer) => offer.executors, 'nothing')}`,
  }
}
