import { execFile } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { scratch } from '#test/scratch.ts'
import { commitUpon } from './loose-commit.ts'

const run = promisify(execFile)

/** A clone on somebody's machine. */
export interface Clone extends AsyncDisposable {
  readonly folder: string
  git(...args: readonly string[]): Promise<string>
  /** Runs git and says what it tells its user beside its output, as `push` does. */
  told(...args: readonly string[]): Promise<string>
  /** Writes files and commits them; says the revision. */
  commit(subject: string, files: Readonly<Record<string, string>>): Promise<string>
  /** The revision that a name stands for, as `git rev-parse` says. */
  revision(name: string): Promise<string>
  /** Moves refs of another repository on this machine, as `git push --force` does. */
  give(path: string, ...refs: readonly string[]): Promise<void>
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

/** What a name stands for where that is a revision or lies in a file of its own, as after a commit; nothing where only git knows. */
async function revisionIn(repository: string, name: string): Promise<string | undefined> {
  if (/^[0-9a-f]{40}$/.test(name)) return name
  for (const path of [name, join('refs/tags', name), join('refs/heads', name)]) {
    const text = await readFile(join(repository, path), 'utf8').catch(() => undefined)
    const [, branch] = /^ref: (.*)/.exec(text ?? '') ?? []
    if (text !== undefined) return branch === undefined ? text.trim() : revisionIn(repository, branch)
  }
  return undefined
}

/** An empty repository with the branch `main`. */
export async function newClone(): Promise<Clone> {
  const folder = await mkdtemp(join(scratch(), 'roundhouse-clone-'))
  const git = async (...args: readonly string[]) =>
    (await run('git', args, { cwd: folder, env: environment })).stdout.trim()
  const own = join(folder, '.git')
  await layRepository(own)
  const revision = async (name: string) => (await revisionIn(own, name)) ?? git('rev-parse', name)
  return {
    folder,
    git,
    revision,
    told: async (...args) => (await run('git', args, { cwd: folder, env: environment })).stderr,
    async commit(subject, files) {
      // With nothing new in it, and another commit before it, no process is needed.
      const before = Object.keys(files).length === 0 ? await revisionIn(own, 'HEAD') : undefined
      const made = before === undefined ? undefined : await commitUpon(own, before, subject)
      if (made !== undefined) return made
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), content)
      }
      await git('add', '--all')
      await git('commit', '--quiet', '--allow-empty', '--message', subject)
      return revision('HEAD')
    },
    async give(path, ...refs) {
      // Refs that were tidied up lie elsewhere.
      if (existsSync(join(path, 'packed-refs'))) return void (await git('push', '--quiet', '--force', path, ...refs))
      cpSync(join(own, 'objects'), join(path, 'objects'), { recursive: true, force: false })
      for (const ref of refs) {
        const [from = '', to = from] = ref.split(':')
        const place = join(path, to.startsWith('refs/') ? to : `refs/heads/${to}`)
        await mkdir(dirname(place), { recursive: true })
        if (from === '') await rm(place)
        else {
          // Under a name that git passes over, so that whoever looks meanwhile sees the ref as it was or as it is.
          await writeFile(`${place}.lock`, `${await revision(from)}\n`)
          await rename(`${place}.lock`, place)
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true })
    },
  }
}
