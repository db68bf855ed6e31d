import type { Command } from 'commander'
import type { Settings } from '#cli/declared-settings.ts'

/** The commands about configurations and orbs, which need no server. */
export function configCommands(roundhouse: Command, settings: () => Settings): void {
  const config = roundhouse.command('config').description('Look at a configuration, without a server')
  for (const { name, about } of questions) {
    config
      .command(`${name} [file]`)
      .description(about)
      .option('--branch <name>', 'the branch it is compiled for')
      .option('--tag <name>', 'the tag it is compiled for')
      .option('--pipeline-parameters <values>', 'in JSON or YAML, or @<file>')
      .option('--orb-registry <folder>', 'where packed orbs lie')
      .action(async (file: string | undefined, options: Readonly<Record<string, string>>) =>
        (await import('./config.ts')).askConfig(name, file, options, settings),
      )
  }
}

const questions = [
  { name: 'validate', about: 'Tell everything that is wrong with a configuration' },
  { name: 'process', about: 'Print the compiled configuration' },
  { name: 'explain', about: 'Tell what would run, and why the rest would not' },
] as const
