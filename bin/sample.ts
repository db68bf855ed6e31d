import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isEmpty } from '#server/app/sample.ts'
import type { World } from '#server/app/world.ts'
import { root } from './root.ts'

const run = promisify(execFile)

/** On the first start of all: pushes a small repository to the built-in git host, as anybody would. */
export async function pushSample(
  world: World,
  { token, server }: { readonly token: string; readonly server: string },
): Promise<void> {
  if (!(await isEmpty(world))) return
  const folder = await mkdtemp(join(tmpdir(), 'roundhouse-sample-'))
  try {
    await cp(join(root, 'sample'), folder, { recursive: true })
    const git = (...args: string[]) => run('git', args, { cwd: folder, env: gitEnvironment(server, token) })
    await git('init', '--quiet', '--initial-branch=main')
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'Say hello')
    await git('push', '--quiet', `${server}/git/sample/hello.git`, 'main')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The token goes by the environment: arguments can be read by anybody on the machine. */
function gitEnvironment(server: string, token: string): NodeJS.ProcessEnv {
  const name = 'Roundhouse'
  const email = 'sample@roundhouse.invalid'
  return {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${server}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`${token}:`).toString('base64')}`,
  }
}
