import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the one commit of a repository holds. */
export interface Commit {
  readonly config: string
  readonly subject?: string
  readonly branch?: string
  /** Other files, by their paths. */
  readonly files?: Readonly<Record<string, string>>
}

/** A git repository with one commit; gives the function that runs git in it. */
export async function repository(folder: string, { config, subject, branch = 'main', files = {} }: Commit) {
  for (const [path, text] of Object.entries({ '.service/config.yml': config, ...files })) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const git = (...args: readonly string[]) => run('git', ['-C', folder, ...args], { env: environment })
  await git('init', '-q', '-b', branch)
  await git('add', '.')
  await git('commit', '-q', '-m', subject ?? 'First commit')
  return git
}

const person = { NAME: 'Ada', EMAIL: 'ada@example.test' }
/** Nothing of the own git settings of this machine is used. */
export const environment = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  ...Object.fromEntries(
    Object.entries(person).flatMap(([part, value]) => [
      [`GIT_AUTHOR_${part}`, value],
      [`GIT_COMMITTER_${part}`, value],
    ]),
  ),
}

/** A command that waits until somebody lets it go on by making the file, or nobody can any more as its folder is gone. */
export const waitFor = (file: string): string =>
  `while [ -d '${dirname(file)}' ] && ! [ -e '${file}' ]; do sleep 0.1; done`

/** The configuration of one job, `build`, in the workflow `main`. */
export const oneJob = (steps: string): string => `version: 2.1
jobs:
  build:
    machine: true
    steps:
${steps.replaceAll(/^/gm, '      ')}
workflows:
  main:
    jobs: [build]
`
