import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '#kit/backoff.ts'
import { mannerOf } from '../bin/manner.mjs'

const entry = new URL('../dist/program/roundhouse.js', import.meta.url).pathname
const token = 'bench-token-0123456789abcdef'

export interface ServiceOptions {
  readonly slots: number
  /** Arguments of node before the program. */
  readonly node?: readonly string[]
  /** Requests a second, where they are to be counted. */
  readonly rateLimit?: string
  /** More settings. */
  readonly environment?: Readonly<Record<string, string>>
  /** A data folder that is there already. */
  readonly folder?: string
}

/** The real program as a child process, with a data folder of its own. */
export async function startService(options: ServiceOptions) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'roundhouse-bench-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const { flags, environment } = mannerOf('up')
  const child = spawn(process.execPath, [...flags, ...(options.node ?? []), entry, 'up'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...environment,
      ROUNDHOUSE_DATA: folder,
      ROUNDHOUSE_LISTEN: `127.0.0.1:${port}`,
      ROUNDHOUSE_SAMPLE: 'off',
      // What is measured asks more often than anybody may.
      ROUNDHOUSE_RATE_LIMIT: options.rateLimit ?? '0',
      ROUNDHOUSE_ADMIN_TOKEN: token,
      ROUNDHOUSE_AGENT_SLOTS: String(options.slots),
      ROUNDHOUSE_DRAIN_SECONDS: '1',
      ROUNDHOUSE_LOG_LEVEL: 'error',
      ...options.environment,
    },
  })
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true, 20_000)
  const firstAnswerMs = performance.now() - began
  return {
    url,
    token,
    folder,
    child,
    firstAnswerMs,
    async [Symbol.asyncDispose]() {
      await ended(child)
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Service = Awaited<ReturnType<typeof startService>>

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await gone
  clearTimeout(timer)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Waits until something is so, looking often; fails after a while. */
export async function until(isSo: () => Promise<boolean>, ms: number, everyMs = 10): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited ${ms} ms in vain`)
    await pause(everyMs)
  }
}

/** Pushes a repository whose configuration is the given text. */
export function pushRepository(
  service: Service,
  name: string,
  config: string,
  fill: (folder: string) => void = () => {},
): void {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-repo-'))
  try {
    mkdirSync(join(folder, '.circleci'))
    writeFileSync(join(folder, '.circleci/config.yml'), config)
    fill(folder)
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], { cwd: folder })
    git('init', '-q', '-b', 'main')
    git('add', '-A')
    git('commit', '-q', '-m', 'bench [skip ci]')
    git('push', '-q', `${service.url.replace('://', `://${service.token}@`)}/git/bench/${name}.git`, 'main')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Calls the API as a client would. */
export async function call<T>(service: Service, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.token}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Resident bytes of a process and its children. */
export function residentMiB(pid: number): { readonly self: number; readonly children: number } {
  const rss = (id: string) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return { self: rss(String(pid)), children: children.reduce((sum, id) => sum + rss(id), 0) }
}

function peakMiB(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

/** An agent beside the service, to be let in when there is work. */
export function agentStarter(service: Service) {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-agent-'))
  let child: ChildProcess | undefined
  return {
    async start(): Promise<void> {
      const { token: own } = await call<{ readonly token: string }>(service, 'POST', '/api/rh/v1/agent-token', {
        name: 'bench',
      })
      const file = join(folder, 'token')
      writeFileSync(file, own, { mode: 0o600 })
      const { flags, environment } = mannerOf('agent')
      child = spawn(
        process.execPath,
        [
          ...flags,
          entry,
          'agent',
          '--server',
          service.url,
          '--token-file',
          file,
          '--folder',
          join(folder, 'agent'),
          '--slots',
          '2',
        ],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
          env: { ...process.env, ...environment },
        },
      )
    },
    residentMiB: () => residentMiB(child?.pid ?? 0).self,
    /** The most it ever had. */
    peakMiB: () => peakMiB(child?.pid ?? 0),
    async [Symbol.asyncDispose]() {
      if (child) await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
