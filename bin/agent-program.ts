import type { Command } from 'commander'
import type * as AgentCommands from '#cli/agent-commands.ts'
import type { Settings } from '#cli/declared-settings.ts'
import { connectionOf } from './connection.ts'

type Options = Readonly<Record<string, string | undefined>>

/** The commands about agents, which ask a running server. */
export function agentCommands(roundhouse: Command, settings: () => Settings): void {
  const tokens = roundhouse.command('agent-token').description('Make, list and revoke the tokens of agents')
  asking(tokens.command('create <name>').description('Make an agent and print its token, this once'))
    .option('--organization <id>', 'it works for the projects of this organization only')
    .action((name: string, options: Options) =>
      answer(settings, options, async (call, commands) => commands.createToken(call, name, options['organization'])),
    )
  asking(tokens.command('list').description('List agents and the ids of their tokens')).action((options: Options) =>
    answer(settings, options, (call, commands) => commands.tellAgents(call)),
  )
  asking(tokens.command('revoke <token>').description('Revoke a token, by its id or the name of its agent')).action(
    (name: string, options: Options) => answer(settings, options, (call, commands) => commands.revokeToken(call, name)),
  )
  const agents = roundhouse.command('agents').description('Look at agents, pause, resume and drain them')
  asking(agents.command('list', { isDefault: true }).description('List agents: state, load, version, classes'))
    .option('--organization <id>', 'only those of this organization')
    .action((options: Options) =>
      answer(settings, options, (call, commands) => commands.tellAgents(call, options['organization'])),
    )
  for (const [word, about] of Object.entries(words)) {
    asking(agents.command(`${word} <agent>`).description(about)).action((name: string, options: Options) =>
      answer(settings, options, (call, commands) =>
        commands.changeMode(call, name, commands.modeWords[word] ?? 'working'),
      ),
    )
  }
}

const words = {
  pause: 'Let an agent take no more jobs until it is resumed',
  resume: 'Let an agent take jobs again',
  drain: 'Let an agent finish its jobs and end',
} as const

const asking = (command: Command): Command =>
  command
    .option('--server <url>', 'address of the server; ROUNDHOUSE_SERVER, or the one that these settings would start')
    .option('--token-file <path>', 'file with a token of yours; ROUNDHOUSE_TOKEN or that of user admin unless given')

type Commands = typeof AgentCommands
type Call = Parameters<Commands['tellAgents']>[0]

async function answer(
  settings: () => Settings,
  options: Options,
  ask: (call: Call, commands: Commands) => Promise<string>,
): Promise<void> {
  try {
    const [commands, { client }, { prefixes }] = await Promise.all([
      import('#cli/agent-commands.ts'),
      import('#contract/client.ts'),
      import('#contract/catalog.ts'),
    ])
    const { server, token } = connectionOf(options, settings())
    const call = client(server + prefixes.rh, token)
    console.log(await ask(call, commands))
  } catch (error) {
    console.error(error instanceof Error ? sentence(error) : String(error))
    process.exitCode = 1
  }
}

/** What a person is to know when nobody answers is in the cause. */
const sentence = (error: Error): string =>
  error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
