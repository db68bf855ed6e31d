import type { agentExecutors, agentProtocol } from '#contract/agent.ts'

/** Something an agent can have. */
export type AgentExecutor = (typeof agentExecutors)[number]

/** The protocol that this agent speaks: typed by the declaration, which an agent does not load. */
export const protocol: typeof agentProtocol = 3

const known: readonly AgentExecutor[] = ['docker', 'machine', 'macos', 'windows', 'arm']

/** Reads what somebody says that an agent can run. */
export const toExecutors = (words: readonly string[]): readonly AgentExecutor[] =>
  words.map((word) => {
    const found = known.find((executor) => executor === word)
    if (!found) throw new Error(`Cannot offer executor ${word} as it must be one of ${known.join(', ')}: it is not`)
    return found
  })

/** What a machine of this system and processor can run. */
export function executorsHere(platform: NodeJS.Platform, processor: string): readonly AgentExecutor[] {
  const executors: AgentExecutor[] = ['docker', 'machine']
  if (platform === 'darwin') executors.push('macos')
  if (platform === 'win32') executors.push('windows')
  if (processor === 'arm64' || processor === 'arm') executors.push('arm')
  return executors
}
