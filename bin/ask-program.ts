import type { Command } from 'commander'
import type { Settings } from '#cli/declared-settings.ts'
import type { AskOptions, Deed } from './ask-options.ts'

const several = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** The commands that ask a running server about projects, pipelines, workflows and jobs. */
export function askCommands(roundhouse: Command, settings: () => Settings): void {
  const asking = (words: string, about: string): Command =>
    roundhouse
      .command(words)
      .description(about)
      .option('--server <url>', 'address of the server; ROUNDHOUSE_SERVER, or the one that these settings would start')
      .option('--token-file <path>', 'file that holds a token of yours; ROUNDHOUSE_TOKEN unless given')
      .option('--token <token>', 'the token itself, which others on this machine can see then')
      .option('--json', 'print what the server answered, for programs')
  const ofProject = (words: string, about: string): Command =>
    asking(words, about).option(
      '--project <name>',
      '<organization>/<name>, or a slug; that of this checkout unless given',
    )
  const ofBranch = (words: string, about: string): Command =>
    ofProject(words, about).option('--branch <name>', 'the newest pipeline of this branch')

  asking('projects', 'List projects, each with its newest pipeline').action(act('projects'))
  ofProject('status [pipeline]', 'Tell how pipelines stand: the newest ones of a project, or one by its id')
    .option('--branch <name>', 'only those of this branch')
    .option('--limit <n>', 'so many; of one its jobs are shown', '10')
    .action(act('status'))
  ofProject('trigger', 'Start a pipeline')
    .option('--branch <name>', 'on this branch; the default one unless given')
    .option('--tag <name>', 'for this tag')
    .option('--param <name=value>', 'a pipeline parameter; may be given several times', several)
    .option('--wait', 'wait until it has ended, and end with 1 if it failed')
    .action(act('trigger'))
  ofBranch('rerun [workflow]', 'Run a workflow again: its id, or its name in the newest pipeline')
    .option('--from-failed', 'only what failed, and what follows')
    .option('--job <name>', 'only this job; may be given several times', several)
    .option('--ssh', 'stay open for SSH')
    .action(act('rerun'))
  ofBranch('cancel [workflow]', 'Cancel a workflow, or one job of it')
    .option('--job <job>', 'the job: its id, its number, or its name in the newest pipeline')
    .action(act('cancel'))
  ofBranch('approve [workflow] [job]', 'Approve a job that is on hold: the only one unless named').action(
    act('approve'),
  )
  ofBranch('logs <job>', 'Print the log of a job: its id, its number, or its name in the newest pipeline')
    .option('-f, --follow', 'go on until the job has ended')
    .action(act('logs'))
  ofBranch('artifacts <job>', 'List what a job stored')
    .option('--to <folder>', 'and save all of it below this folder')
    .action(act('artifacts'))

  function act(deed: Deed) {
    return async (...given: readonly unknown[]): Promise<void> => {
      const options = given.at(-2) as AskOptions
      const words = given.slice(0, -2) as readonly (string | undefined)[]
      process.exit(await (await import('./ask.ts')).ask(deed, words, options, settings))
    }
  }
}
