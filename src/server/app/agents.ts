import type { AgentId, TokenId } from '#core/ids.ts'
import { later } from '#kit/brand.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { agentById, type AgentRow, insertAgent, registerAgent as keepRegistration } from '#server/store/agents.ts'
import { insertToken } from '#server/store/tokens.ts'
import { tokenRow } from './people.ts'
import { newToken } from './seal.ts'
import type { World } from './world.ts'

/** What a process says of itself when it begins to work. */
export interface Registration {
  readonly instance: string
  /** As before unless said, and at first as its token. */
  readonly name?: string
  readonly version: string
  readonly slots: number
  readonly resourceClasses: readonly string[]
  readonly labels?: readonly string[]
  /** Docker and machine unless said. */
  readonly executors?: readonly string[]
}

/** Whether an agent takes jobs: paused, not until somebody lets it; draining, not any more. */
export type AgentMode = 'working' | 'paused' | 'draining'

/** An agent that was just made. */
export interface NewAgent {
  readonly agent: AgentId
  readonly id: TokenId
  readonly token: string
  readonly createdAt: string
}

/**
 * Makes an agent and the token that is its identity: one agent, one token. With an organization, it works for that one's projects only;
 * with a resource class, for jobs that ask for it.
 */
export async function newAgent(
  world: World,
  name: string,
  organization: string | null = null,
  resourceClass?: { readonly id: string; readonly name: string },
): Promise<NewAgent> {
  const agent = world.newId() as AgentId
  const token = newToken('agent')
  const row = tokenRow(world, token, { kind: 'agent', agent_id: agent, label: name })
  await world.db.transaction().execute(async (tx) => {
    const at = world.now()
    await insertAgent(tx, {
      id: agent,
      name,
      instance: null,
      version: '',
      slots: 0,
      resource_classes: JSON.stringify(resourceClass ? [resourceClass.name] : []),
      created_at: at,
      seen_at: null,
      organization_id: organization,
      resource_class_id: resourceClass?.id ?? null,
    })
    await insertToken(tx, row)
  })
  return { agent, id: row.id as TokenId, token, createdAt: row.created_at }
}

/** A process begins to work as an agent, and is told its name; the one before it is told at its next word that it was replaced. */
export async function registerAgent(world: World, agent: AgentId, registration: Registration): Promise<string> {
  const { instance, version, slots, resourceClasses, labels = [], executors = ['docker', 'machine'] } = registration
  const known = await agentById(world.db, { id: agent })
  const name = registration.name ?? known?.name ?? agent
  await world.db.transaction().execute((tx) =>
    keepRegistration(tx, agent, {
      instance,
      name,
      version,
      slots,
      // Whose token is of a class serves that class, whatever it says of itself.
      resource_classes: known?.resource_class_id ? known.resource_classes : JSON.stringify(resourceClasses),
      labels: JSON.stringify(labels),
      executors: JSON.stringify(executors),
      // Who was drained has ended by now, and is back; who was paused stays so until somebody says otherwise.
      mode: known?.mode === 'paused' ? 'paused' : 'working',
      obstacle: null,
      seen_at: world.now(),
    }),
  )
  return name
}

/** The agent, if this process still is the one that works as it. */
export async function workingAgent(world: World, id: AgentId, instance: string): Promise<AgentRow> {
  const agent = orNotFound(await agentById(world.db, { id }), 'Agent')
  if (agent.instance !== instance)
    throw new Refusal('conflict', `Cannot go on as agent ${agent.name}: another process works as it now`)
  return agent
}

/** The agent itself says that it was asked to end. */
export async function noteDraining(world: World, agent: AgentRow): Promise<void> {
  if (agent.mode === 'draining') return
  await world.db.transaction().execute((tx) => keepRegistration(tx, agent.id, { mode: 'draining' }))
}

/** The agent itself says why it can take no jobs, or that it can again. */
export async function noteObstacle(world: World, agent: AgentRow, obstacle: string | null): Promise<void> {
  if (agent.obstacle === obstacle) return
  await world.db.transaction().execute((tx) => keepRegistration(tx, agent.id, { obstacle }))
}

/** Written at most this often: a hundred agents must not mean a hundred writes a second. */
const seenEveryMs = 30_000

/** Notes that an agent is alive. */
export async function noteSeen(world: World, agent: AgentRow): Promise<void> {
  const now = world.now()
  if (agent.seen_at !== null && later(agent.seen_at as never, seenEveryMs) > now) return
  await world.db.transaction().execute((tx) => keepRegistration(tx, agent.id, { seen_at: now }))
}
