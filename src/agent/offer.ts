import type { agentExecutors, agentProtocol } from '#contract/agent.ts'

/** Something an agent can have. */
export type AgentExecutor = (typeof agentExecutors)[number]

/** The protocol that this agent speaks: typed by the declaration, which an agent does not load. */
export const protocol: typeof agentProtocol = 1

/** What a machine of this system and processor can run. */
export function executorsHere(platform: NodeJS.Platform, processor: string): readonly AgentExecutor[] {
  const executors: AgentExecutor[] = ['docker', 'machine']
  if (platform === 'darwin') executors.push('macos')
  if (platform === 'win32') executors.push('windows')
  if (processor === 'arm64' || processor === 'arm') executors.push('arm')
  return executors
}
