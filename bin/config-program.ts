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
  config
    .command('schema')
    .description('Print a JSON Schema of the language, for editors')
    .action(async () =>
      console.log(JSON.stringify((await import('#config/json-schema.ts')).configSchema(), undefined, 2)),
    )
  orbCommands(roundhouse.command('orb').description('Make orbs, and put them into the registry folder'), settings)
}

function orbCommands(orb: Command, settings: () => Settings): void {
  orb
    .command('pack <folder>')
    .description('Print one file made of a folder: @orb.yml, commands/, jobs/, executors/, and what they include')
    .action(async (folder: string) => (await import('./orb.ts')).packFolder(folder))
  orb
    .command('publish <file> <orb>')
    .description('Put a packed orb into the registry as <namespace>/<name>@<version>; - reads standard input')
    .option('--orb-registry <folder>', 'where packed orbs lie')
    .action(async (file: string, reference: string, options: Readonly<Record<string, string>>) =>
      (await import('./orb.ts')).publishFile(file, reference, options, settings),
    )
}

const questions = [
  { name: 'validate', about: 'Tell everything that is wrong with a configuration' },
  { name: 'process', about: 'Print the compiled configuration' },
  { name: 'explain', about: 'Tell what would run, and why the rest would not' },
] as const
