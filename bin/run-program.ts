import type { Command } from 'commander'
import type { Settings } from '#cli/declared-settings.ts'
import type { RunOptions } from './run-options.ts'

const several = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** `roundhouse run`: the configuration of a checkout, on this machine. */
export function runCommand(roundhouse: Command, settings: () => Settings): void {
  roundhouse
    .command('run [workflow-or-job...]')
    .description('Run the configuration of this checkout here and now, with changes that are not committed yet')
    .option('--job <name>', 'run this job, without what it requires; may be given several times', several)
    .option('--workflow <name>', 'run this workflow; may be given several times', several)
    .option('--with-requires', 'run jobs behind what they require')
    .option('--config <file>', 'another configuration than that of the checkout')
    .option('--param <name=value>', 'a pipeline parameter; may be given several times', several)
    .option('--branch <name>', 'as if on this branch; that of the checkout unless given')
    .option('--tag <name>', 'as if for this tag')
    .option('--env-file <file>', 'NAME=value lines for every job, and [context] sections; several times', several)
    .option('--env <name[=value]>', 'a variable for every job; without a value that of this shell', several)
    .option('--artifacts <folder>', 'where artifacts and test results go')
    .option('--slots <n>', 'jobs at once; as many as there are processors unless given')
    .option('-v, --verbose', 'print what jobs print, as they print it')
    .option('-q, --quiet', 'print only what fails')
    .option('--logs <job>', 'print the whole log of a job that ran before, and run nothing')
    .option('--no-cache', 'forget the caches of earlier runs first')
    .option('--approve <name>', 'approve this job when it is on hold, or all; several times', several)
    .option('--list', 'print what would run, and run nothing')
    .option('--orb-registry <folder>', 'where packed orbs lie')
    .addHelpText('after', examples)
    .action(async (names: readonly string[], options: RunOptions) => {
      const { UsageProblem } = await import('./usage-problem.ts')
      try {
        const { run } = await import('./run.ts')
        process.exit(await run(names, options, settings))
      } catch (error) {
        console.error(error instanceof Error ? error.message : String(error))
        const isUsage = error instanceof UsageProblem || (error instanceof Error && error.name === 'BadEnvFile')
        process.exit(isUsage ? 2 : 1)
      }
    })
}

const examples = `
Exit codes: 0 success, 1 failed, 2 wrong usage or configuration, 130 canceled.

Examples:
  roundhouse run                              everything that a push of this branch would run
  roundhouse run test                         job test alone, as it is now
  roundhouse run deploy --with-requires --approve all --env-file .env.local
  roundhouse run --logs test                  the whole log of what test did last
`
