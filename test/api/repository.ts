import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { scratch } from '#test/scratch.ts'

const run = promisify(execFile)

/** A clone on somebody's machine. */
export interface Clone extends AsyncDisposable {
  readonly folder: string
  git(...args: readonly string[]): Promise<string>
  /** Runs git and says what it tells its user beside its output, as `push` does. */
  told(...args: readonly string[]): Promise<string>
  /** Writes files and commits them; says the revision. */
  commit(subject: string, files: Readonly<Record<string, string>>): Promise<string>
}

/** Nothing of this machine's own git settings is used, and nobody is ever asked for a password. */
const environment = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  // Otherwise each commit starts another process, to see whether there is something to tidy up.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
}

/** Makes an empty repository with the branch `main`, as `git init` does: whatever is started from a process of tests costs ten milliseconds. */
export async function layRepository(folder: string, more = ''): Promise<void> {
  for (const name of ['objects', 'refs']) await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, 'config'), `[core]\n\trepositoryformatversion = 0\n${more}`)
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
}

/** What is checked out, as `git rev-parse HEAD` says after a commit, when the branch is a file of its own. */
async function headOf(folder: string): Promise<string> {
  const [head, branch] = /^(?:ref: )?(.*)/.exec(await readFile(join(folder, 'HEAD'), 'utf8')) ?? []
  return head === branch ? head! : (await readFile(join(folder, branch!), 'utf8')).trim()
}

/** An empty repository with the branch `main`. */
export async function newClone(): Promise<Clone> {
  const folder = await mkdtemp(join(scratch(), 'roundhouse-clone-'))
  const git = async (...args: readonly string[]) =>
    (await run('git', args, { cwd: folder, env: environment })).stdout.trim()
  await layRepository(join(folder, '.git'))
  return {
    folder,
    git,
    told: async (...args) => (await run('git', args, { cwd: folder, env: environment })).stderr,
    async commit(subject, files) {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), content)
      }
      await git('add', '--all')
      await git('commit', '--quiet', '--allow-empty', '--message', subject)
      return headOf(join(folder, '.git'))
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true })
    },
  }
}
