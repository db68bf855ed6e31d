import type { client } from '#contract/client.ts'
import {
  type Agent,
  type agentModes,
  createAgentToken,
  deleteAgentToken,
  listAgents,
  setAgentMode,
} from '#contract/rh/agents.ts'
import { allPages } from './all-pages.ts'
import { columns } from './columns.ts'

type Call = ReturnType<typeof client>
type Mode = (typeof agentModes)[number]

/** The words of the command line for what an agent is to do. */
export const modeWords: Readonly<Record<string, Mode>> = { pause: 'paused', resume: 'working', drain: 'draining' }

/** Makes an agent; the token is alone on its line, so that it can be piped into a file. */
export async function createToken(call: Call, name: string, organization: string | undefined): Promise<string> {
  const { token } = await call(createAgentToken, {
    body: { name, ...(organization !== undefined && { organization }) },
  })
  return token
}

/** Revokes a token, named by its id or by the name of its agent. */
export async function revokeToken(call: Call, name: string): Promise<string> {
  const agent = only(await agentsOf(call), name, ({ token_id }) => token_id)
  await call(deleteAgentToken, { params: { id: agent.token_id } })
  return `The token of agent ${agent.name} opens nothing any more`
}

/** Pauses, resumes or drains an agent, named by its id or its name. */
export async function changeMode(call: Call, name: string, mode: Mode): Promise<string> {
  const { id } = only(await agentsOf(call), name, (agent) => agent.id)
  const agent = await call(setAgentMode, { params: { id }, body: { mode } })
  return `Agent ${agent.name} is ${agent.state}`
}

/** Every agent, one line each. */
export async function tellAgents(call: Call, organization?: string): Promise<string> {
  const agents = await agentsOf(call, organization)
  if (agents.length === 0) return 'There are no agents'
  const rows = agents.map((agent) => [
    agent.name,
    agent.state,
    agent.slots === null ? '-' : `${agent.busy}/${agent.slots}`,
    agent.version ?? '-',
    agent.executors.join(',') || '-',
    [...agent.resource_classes, ...agent.labels.map((label) => `@${label}`)].join(',') || 'any',
    agent.last_seen_at ?? 'never',
    agent.id,
    agent.token_id,
  ])
  const head = ['NAME', 'STATE', 'BUSY', 'VERSION', 'EXECUTORS', 'CLASSES', 'LAST SEEN', 'ID', 'TOKEN']
  return columns(head, rows)
}

const agentsOf = async (call: Call, organization?: string): Promise<readonly Agent[]> =>
  allPages((page) => call(listAgents, { query: { ...page, ...(organization !== undefined && { organization }) } }))

/** The one agent that is meant; a name that several have is no name. */
function only(agents: readonly Agent[], name: string, idOf: (agent: Agent) => string): Agent {
  const found = agents.filter((agent) => idOf(agent) === name || agent.name === name)
  const [agent, other] = found
  if (!agent) throw new Error(`Cannot find agent ${name}`)
  if (other) throw new Error(`Cannot tell which agent ${name} is meant: use its id, ${found.map(idOf).join(' or ')}`)
  return agent
}
