import { Command, Option } from 'commander'
import { agentFlags } from '#cli/agent-flags.ts'
import { declared, type SettingName } from '#cli/declared-settings.ts'
import { BadSetting, describeSettings, type Resolved, resolveSettings, type SettingsFile } from '#cli/settings.ts'
import { agentCommands } from './agent-program.ts'
import { askCommands } from './ask-program.ts'
import { configCommands } from './config-program.ts'
import { peopleCommands } from './people-program.ts'
import { version } from './root.ts'
import { runCommand } from './run-program.ts'

/** The commands of `roundhouse`. What a command needs is loaded when it is chosen. */
export function program(argv: readonly string[], file: SettingsFile | undefined): Command {
  const settingsOf = (flags: Flags): Resolved => resolve(flags, file)
  const roundhouse = new Command('roundhouse')
    .description('Continuous integration that anyone can run with one command')
    .version(version)
    .addHelpText('after', '\nWithout a command the service is started. More of each: roundhouse <command> --help')
  roundhouse.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  roundhouse.commandsGroup('The service:')
  withSettings(
    roundhouse
      .command('up', { isDefault: argv.length <= 2 })
      .description('Start the service: server, database, git host and one agent'),
  ).action(async (flags: Flags) => (await import('./up.ts')).up(settingsOf(flags)))
  withSettings(
    roundhouse.command('settings').description('Print every setting, its value and where it comes from'),
  ).action((flags: Flags) => {
    console.log(describeSettings(settingsOf(flags)))
  })
  withAgentFlags(
    roundhouse
      .command('agent')
      .description('Work as an agent of a server')
      .requiredOption('--server <url>', 'address of the server')
      .option('--token-file <path>', 'file that holds the token of this agent; ROUNDHOUSE_AGENT_TOKEN unless given')
      .option('--folder <path>', 'its own folder', 'agent')
      .option('--name <name>', 'how it is called; as its token unless given')
      .option('--slots <n>', 'jobs it runs at once', '2')
      .option('--resource-classes <list>', 'only jobs of these, separated by commas', '')
      .option('--ssh-listen <address>', 'where it takes SSH connections to jobs; port 0 for any', '127.0.0.1:0')
      .option('--ssh-host <host>', 'the host that people are told to connect to by SSH')
      .option('--ssh-forwarding', 'let visitors reach the network of this machine through SSH')
      .option('--labels <list>', 'what jobs may ask for behind their class (large@gpu), separated by commas', '')
      .option('--executors <list>', 'docker, machine, macos, windows, arm; what this machine can unless given')
      .option('--with-parent', 'end when standard input does: whoever started it is gone then'),
  ).action(async (options: Record<string, string | boolean>) => (await import('./agent.ts')).agent(options, version))
  roundhouse.commandsGroup('On this machine, without a server:')
  runCommand(roundhouse, () => settingsOf({}).settings)
  configCommands(roundhouse, () => settingsOf({}).settings)
  roundhouse.commandsGroup('Asking a server:')
  askCommands(roundhouse, () => settingsOf({}).settings)
  roundhouse.commandsGroup('Managing a server:')
  agentCommands(roundhouse, () => settingsOf({}).settings)
  peopleCommands(roundhouse, () => settingsOf({}).settings)
  return roundhouse
}

type Flags = Readonly<Record<string, string | boolean | undefined>>

function withAgentFlags(command: Command): Command {
  for (const [name, flag] of Object.entries(agentFlags))
    command.addOption(new Option('value' in flag ? `--${name} <${flag.value}>` : `--${name}`, flag.about))
  return command
}

function withSettings(command: Command): Command {
  for (const [name, { about }] of Object.entries(declared)) {
    // A token in the arguments could be read by anybody on the machine; the server to ask is of no use to one.
    if ('secret' in declared[name as SettingName] || name === 'server') continue
    command.addOption(new Option(`--${name} <value>`, about))
  }
  return command.addOption(new Option('--no-sample', 'the same as --sample off'))
}

/** Flags come in camel case; `--no-sample` comes as false. */
function resolve(flags: Flags, file: SettingsFile | undefined): Resolved {
  const named: Record<string, string | undefined> = {}
  for (const name of Object.keys(declared)) {
    const value = flags[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (value !== undefined && value !== true) named[name] = value === false ? 'off' : value
  }
  try {
    return resolveSettings({
      flags: named,
      environment: process.env,
      file,
    })
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error
    console.error(error.message)
    process.exit(2)
  }
}
