import * as contract from '#contract/rh/agents.ts'
import { getLimits, setLimits } from '#contract/rh/limits.ts'
import type { AgentId } from '#core/ids.ts'
import { type AgentFacts, listAgents, makeAgent, revokeAgent, setMode } from '#server/app/agent-list.ts'
import type { App } from '#server/app/app.ts'
import { offerOf } from '#server/app/assignments.ts'
import { changeLimits, readLimits } from '#server/app/limits.ts'
import type { Serving } from '#server/api/serve.ts'

/** Agents, for whoever manages them. */
export function serveAgentList({ serve }: Serving, app: App): void {
  serve(contract.listAgents, async ({ caller, query }) => {
    const { items, next } = await listAgents(app, caller, query.organization, query['page-token'])
    return { items: items.map(agentView), next_page_token: next }
  })
  serve(contract.setAgentMode, async ({ caller, params, body }) =>
    agentView(await setMode(app, caller, params.id as AgentId, body.mode)),
  )
  serve(contract.createAgentToken, async ({ caller, body }) => {
    const { id, token, agent } = await makeAgent(app, caller, body.name, body.organization)
    return { id, token, agent_id: agent }
  })
  serve(contract.deleteAgentToken, async ({ caller, params }) => {
    await revokeAgent(app, caller, params.id)
    return { message: 'ok' }
  })
}

/** How much projects and organizations may run. */
export function serveLimits({ serve }: Serving, { world }: App): void {
  serve(getLimits, ({ caller, params }) => readLimits(world, caller, params))
  serve(setLimits, ({ caller, params, body }) => changeLimits(world, caller, params, body))
}

function agentView({ agent, token, state, jobs }: AgentFacts): contract.Agent {
  const { executors, labels, resourceClasses } = offerOf(agent)
  return {
    id: agent.id,
    name: agent.name,
    token_id: token,
    organization_id: agent.organization_id,
    state,
    mode: agent.mode as contract.Agent['mode'],
    obstacle: agent.obstacle,
    version: agent.version || null,
    slots: agent.slots || null,
    busy: jobs.length,
    resource_classes: [...resourceClasses],
    labels: [...labels],
    executors: [...executors] as contract.Agent['executors'],
    jobs: [...jobs],
    last_seen_at: agent.seen_at,
    created_at: agent.created_at,
  }
}
