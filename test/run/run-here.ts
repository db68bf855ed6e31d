import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { program } from '#test/program.ts'

/** Starting costs half as much where it was compiled before. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** How a command ended, and what it said. */
export interface Said {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder with these files and a cache of its own, in which `roundhouse` is run as a person would, with more variables if wanted. */
export function folderWith(files: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) {
  const base = mkdtempSync(join(tmpdir(), 'roundhouse-run-'))
  const folder = join(base, 'web')
  const cache = join(base, 'cache')
  const plain = Object.entries(process.env).filter(([name]) => !/^(ROUNDHOUSE_|GIT_|NODE_TEST)/.test(name))
  const env = {
    ...Object.fromEntries(plain),
    XDG_CACHE_HOME: cache,
    DOCKER_HOST: 'unix:///nonexistent.sock',
    NODE_COMPILE_CACHE: compiled,
    ...more,
  }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)

  function start(
    args: readonly string[],
    where = folder,
  ): { readonly child: ChildProcess; readonly said: Promise<Said> } {
    const child = spawn(process.execPath, [program, ...args], { cwd: where, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    const said = once(child, 'close').then(([status]) => ({
      status: status as number | null,
      stdout: Buffer.concat(out).toString(),
      stderr: Buffer.concat(err).toString(),
    }))
    return { child, said }
  }

  return {
    folder,
    base,
    write,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    git: (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
        cwd: folder,
        env: { ...env, GIT_CONFIG_GLOBAL: '/dev/null' },
        encoding: 'utf8',
      }),
    start,
    run: (...args: readonly string[]) => start(['run', ...args]).said,
    runIn: (where: string, ...args: readonly string[]) => start(['run', ...args], join(folder, where)).said,
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** A configuration of machine jobs, each of one command, in one workflow. */
export const jobs = (commands: Readonly<Record<string, string>>, workflow: string): string =>
  [
    'version: 2.1',
    'jobs:',
    ...Object.entries(commands).map(([name, steps]) => `  ${name}: {machine: true, steps: [${steps}]}`),
    `workflows: {main: {jobs: [${workflow}]}}`,
    '',
  ].join('\n')

/** A run step. */
export const step = (command: string): string => `{run: {name: work, command: ${JSON.stringify(command)}}}`
