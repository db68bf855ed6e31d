import type { AgentId } from '#core/ids.ts'
import type { Instant } from '#kit/brand.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { agentById, type AgentRow, allAgents, registerAgent as keepAgent } from '#server/store/agents.ts'
import { heldJobs } from '#server/store/leases.ts'
import { agentTokens, deleteToken, tokenByHash } from '#server/store/tokens.ts'
import { type AgentMode, newAgent } from './agents.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import { organizationFor } from './organizations.ts'
import { asUser } from './permissions.ts'
import { hashToken } from './seal.ts'
import { isThere } from './waiting.ts'
import type { World } from './world.ts'

/** How an agent stands. */
export type AgentState = 'new' | 'idle' | 'busy' | 'draining' | 'paused' | 'lost'

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

/** Every agent that has a token, of the installation or of one organization. */
export async function listAgents(
  { world }: App,
  caller: Caller,
  organization: string | undefined,
): Promise<readonly AgentFacts[]> {
  await mayManage(world, caller, organization ?? null)
  const wanted = ({ organization_id }: AgentRow) => organization === undefined || organization_id === organization
  return factsOf(world, (await allAgents(world.db)).filter(wanted))
}

async function factsOf(world: World, agents: readonly AgentRow[]): Promise<readonly AgentFacts[]> {
  const tokens = new Map((await agentTokens(world.db)).map((token) => [token.agent_id, token.id]))
  const held = await heldJobs(world.db)
  const now = world.now()
  return agents.flatMap((agent) => {
    const token = tokens.get(agent.id)
    const jobs = held.get(agent.id) ?? []
    return token === undefined ? [] : [{ agent, token, state: stateOf(agent, jobs.length, now), jobs }]
  })
}

function stateOf(agent: AgentRow, busy: number, now: Instant): AgentState {
  if (agent.instance === null) return 'new'
  if (!isThere(agent, now)) return 'lost'
  if (agent.mode === 'paused' || agent.mode === 'draining') return agent.mode
  return busy > 0 ? 'busy' : 'idle'
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
  return orNotFound((await factsOf(world, [agent]))[0], 'Agent')
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
