import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { token } from './house.ts'

const exec = promisify(execFile)

/** A repository of somebody who pushes. */
export interface Repository {
  readonly git: (...args: readonly string[]) => Promise<string>
  /** Writes files and commits them. */
  commit(message: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string>
  push(...refs: readonly string[]): Promise<void>
  /** Where pushes go. */
  readonly remote: string
  /** Runs git, for as long as that takes, and gives what it tells its user, however it ends. */
  told(args: readonly string[], hear?: (text: string) => void): Promise<string>
  /** The branches and tags that the server has, and where they are. */
  remoteRefs(): Promise<ReadonlyMap<string, string>>
}

/** Makes an empty repository whose pushes go to `<server>/git/chaos/<name>.git`. */
export async function makeRepository(folder: string, server: string, name: string): Promise<Repository> {
  const home = join(folder, 'repositories', name)
  mkdirSync(home, { recursive: true })
  const remote = `${server.replace('://', `://${token}@`)}/git/chaos/${name}.git`
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
  const git = async (...args: readonly string[]) =>
    (await exec('git', [...args], { cwd: home, env: environment, timeout: 300_000 })).stdout
  await git('init', '--quiet', '--initial-branch=main')
  return {
    git,
    remote,
    told: (args, hear = () => {}) => {
      const running = exec('git', [...args], { cwd: home, env: environment, timeout: 300_000 })
      running.child.stderr?.on('data', (text) => hear(String(text)))
      return running.then(
        ({ stderr }) => stderr,
        ({ stderr }: { readonly stderr?: string }) => stderr ?? '',
      )
    },
    async commit(message, files) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true })
        writeFileSync(join(home, path), content)
      }
      await git('add', '--all')
      await git('commit', '--quiet', '--allow-empty', '--message', message)
      return (await git('rev-parse', 'HEAD')).trim()
    },
    push: async (...refs) => void (await git('push', '--quiet', '--force', remote, ...refs)),
    async remoteRefs() {
      const lines = (await git('ls-remote', '--heads', '--tags', remote)).split('\n').filter(Boolean)
      return new Map(lines.map((line) => line.split('\t').reverse() as [string, string]))
    },
  }
}
