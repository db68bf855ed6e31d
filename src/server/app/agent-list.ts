import type { AgentId } from '#core/ids.ts'
import type { Instant } from '#kit/brand.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import {
  agentById,
  type AgentRow,
  type AgentsAfter,
  agentsFrom,
  type TokenedAgent,
  registerAgent as keepAgent,
} from '#server/store/agents.ts'
import { heldJobs } from '#server/store/leases.ts'
import { agentTokens, deleteToken, tokenByHash } from '#server/store/tokens.ts'
import { type AgentMode, newAgent } from './agents.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import type { PageOf } from './lists.ts'
import { organizationFor } from './organizations.ts'
import { asUser } from './permissions.ts'
import { hashToken } from './seal.ts'
import { isThere } from './waiting.ts'
import type { World } from './world.ts'

/** How an agent stands. */
export type AgentState = 'new' | 'idle' | 'busy' | 'draining' | 'paused' | 'obstructed' | 'lost'

/** An agent and what it does. */
export interface AgentFacts {
  readonly agent: AgentRow
  readonly token: string
  readonly state: AgentState
  readonly jobs: readonly string[]
}

/** Refuses whoever may not manage the agents of an organization (its owners), or of the installation (administrators). */
async function mayManage(world: World, caller: Caller, organization: string | null): Promise<void> {
  if (asUser(caller).user.admin === 1) return
  if (organization === null) throw new Refusal('forbidden', 'Permission denied')
  await organizationFor(world, caller, 'owner', { id: organization })
}

const pageSize = 50

/** Agents that have a token, of the installation or of one organization, by name. */
export async function listAgents(
  { world, cursors }: App,
  caller: Caller,
  organization: string | undefined,
  token?: string,
): Promise<PageOf<AgentFacts>> {
  await mayManage(world, caller, organization ?? null)
  const list = `agents:${organization ?? ''}`
  const page = cursors.read(list, token, {})
  const after = page && (JSON.parse(page.after) as AgentsAfter)
  const rows = await agentsFrom(world.db, organization, after, pageSize + 1)
  const agents = rows.slice(0, pageSize)
  const last = agents.at(-1)
  return {
    items: await factsOf(world, agents),
    next:
      rows.length > pageSize && last
        ? cursors.write(list, { after: JSON.stringify({ name: last.name, id: last.id }), filter: {} })
        : null,
  }
}

async function factsOf(world: World, agents: readonly TokenedAgent[]): Promise<readonly AgentFacts[]> {
  const held = await heldJobs(
    world.db,
    agents.map(({ id }) => id),
  )
  const now = world.now()
  return agents.map((agent) => {
    const jobs = held.get(agent.id) ?? []
    return { agent, token: agent.token_id, state: stateOf(agent, jobs.length, now), jobs }
  })
}

function stateOf(agent: AgentRow, busy: number, now: Instant): AgentState {
  if (agent.instance === null) return 'new'
  if (!isThere(agent, now)) return 'lost'
  if (agent.mode === 'paused' || agent.mode === 'draining') return agent.mode
  if (busy > 0) return 'busy'
  return agent.obstacle === null ? 'idle' : 'obstructed'
}

/** Makes an agent for an organization, or for all where none is named. */
export async function makeAgent({ world }: App, caller: Caller, name: string, organization: string | undefined) {
  await mayManage(world, caller, organization ?? null)
  const owner = organization === undefined ? null : await organizationFor(world, caller, 'owner', { id: organization })
  return newAgent(world, name, owner?.id ?? null)
}

/** Pauses an agent, lets it go on, or has it end. It hears of it at once, if it listens. */
export async function setMode({ world }: App, caller: Caller, id: AgentId, mode: AgentMode): Promise<AgentFacts> {
  await mayManage(world, caller, (await agentById(world.db, { id }))?.organization_id ?? null)
  orNotFound(await agentById(world.db, { id }), 'Agent')
  await world.db.transaction().execute((tx) => keepAgent(tx, id, { mode }))
  world.bell.ring(`agent:${id}`)
  const agent = orNotFound(await agentById(world.db, { id }), 'Agent')
  const token = (await agentTokens(world.db)).find(({ agent_id }) => agent_id === id)
  return orNotFound((await factsOf(world, token ? [{ ...agent, token_id: token.id }] : []))[0], 'Agent')
}

/** Ends an agent's token: it is refused at its next word. */
export async function revokeAgent({ world, callers }: App, caller: Caller, id: string): Promise<void> {
  const token = (await agentTokens(world.db)).find((candidate) => candidate.id === id)
  const agent = token?.agent_id == null ? undefined : await agentById(world.db, { id: token.agent_id })
  await mayManage(world, caller, agent?.organization_id ?? null)
  await world.db.transaction().execute((tx) => deleteToken(tx, orNotFound(token, 'Token').id))
  callers.forget()
  if (agent) world.bell.ring(`agent:${agent.id}`)
}

/** The agent that a token belongs to. */
export async function agentOfToken(world: World, token: string): Promise<string | undefined> {
  return (await tokenByHash(world.db, { hash: hashToken(token) }))?.agent_id ?? undefined
}
