import { later, type Instant } from '#kit/brand.ts'
import { orNotFound } from '#kit/refusal.ts'
import { allAgents } from '#server/store/agents.ts'
import { leasesOf } from '#server/store/leases.ts'
import { agentTokens, deleteToken, tokenByHash } from '#server/store/tokens.ts'
import type { App } from './app.ts'
import { hashToken } from './seal.ts'

/** Every agent that has a token, and what it does. */
export async function listAgents({ world }: App) {
  const tokens = new Map((await agentTokens(world.db)).map((token) => [token.agent_id, token.id]))
  const rows = (await allAgents(world.db)).filter((agent) => tokens.has(agent.id))
  return Promise.all(
    rows.map(async (agent) => ({
      id: agent.id,
      name: agent.name,
      token_id: tokens.get(agent.id) ?? '',
      status: isOnline(agent.seen_at, world.now()) ? ('online' as const) : ('offline' as const),
      version: agent.version || null,
      slots: agent.slots || null,
      resource_classes: JSON.parse(agent.resource_classes) as string[],
      jobs: (await leasesOf(world.db, { agent: agent.id })).map((lease) => lease.job_id),
      last_seen_at: agent.seen_at,
      created_at: agent.created_at,
    })),
  )
}

const isOnline = (seen: string | null, now: Instant): boolean => seen !== null && later(seen as Instant, 120_000) > now

/** Ends an agent's token: it is refused at its next word. */
export async function revokeAgent({ world, callers }: App, token: string): Promise<void> {
  const gone = await world.db.transaction().execute((tx) => deleteToken(tx, token))
  callers.forget()
  orNotFound(gone || undefined, 'Token')
}

/** The agent that a token belongs to. */
export async function agentOfToken(world: App['world'], token: string): Promise<string | undefined> {
  return (await tokenByHash(world.db, { hash: hashToken(token) }))?.agent_id ?? undefined
}
