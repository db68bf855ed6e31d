import { execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { Pool } from 'undici'
import { pause } from '#kit/backoff.ts'
import { type Figure, median } from './figures.ts'
import { call, startService } from './service.ts'

/*
 * Signed hooks, a hundred a second, to a service that keeps and processes them all the while, against a bare server that reads the
 * same bodies and answers.
 */

const [perSecond, seconds] = [100, 10]

const config =
  'version: 2.1\njobs: { build: { machine: true, steps: [run: "true"] } }\nworkflows: { w: { jobs: [build] } }\n'

/** The hook of a push, as large as an ordinary one. */
const bodyOf = (revision: string) =>
  JSON.stringify({
    ref: 'refs/heads/main',
    before: '1'.repeat(40),
    after: revision,
    repository: { id: 1, full_name: 'acme/web' },
    sender: { id: 5, login: 'grace' },
    commits: Array.from({ length: 5 }, (_, i) => ({ id: String(i), message: 'x'.repeat(1_000) })),
  })

/** Sends at a fixed pace, whether the one before was answered or not; says how long each answer took. */
async function paced(
  pool: Pool,
  path: string,
  body: string,
  headersOf: (i: number) => Record<string, string>,
): Promise<number[]> {
  const took: number[] = []
  const sent: Promise<void>[] = []
  const began = performance.now()
  for (let i = 0; i < perSecond * seconds; i++) {
    const wait = began + (i * 1000) / perSecond - performance.now()
    if (wait > 0) await pause(wait)
    const at = performance.now()
    sent.push(
      pool.request({ path, method: 'POST', headers: headersOf(i), body }).then(async (answer) => {
        await answer.body.dump()
        if (answer.statusCode >= 300) throw new Error(`A hook was answered with ${answer.statusCode}`)
        took.push(performance.now() - at)
      }),
    )
  }
  await Promise.all(sent)
  return took.slice(perSecond)
}

/** A repository that can be fetched as files. */
async function gitServer(folder: string) {
  const [work, bare] = [join(folder, 'work'), join(folder, 'web.git')]
  mkdirSync(join(work, '.circleci'), { recursive: true })
  writeFileSync(join(work, '.circleci/config.yml'), config)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], { cwd: work })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'bench')
  const revision = git('rev-parse', 'HEAD').toString().trim()
  git('clone', '-q', '--bare', work, bare)
  git('--git-dir', bare, 'update-server-info')
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname.replace(/^\/acme/, '')
    const file = join(folder, normalize(path))
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) createReadStream(file).pipe(response)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    revision,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const bare = `
const { createServer } = require('node:http')
const server = createServer((request, response) => request.resume().on('end', () => response.end('ok')))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

/** In a process of its own, as the service is: on a busy machine that is what counts. */
async function echo(): Promise<number> {
  const child = spawn(process.execPath, ['-e', bare], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const pool = new Pool(`http://127.0.0.1:${Number(port)}`, { connections: 20 })
  try {
    return median(await paced(pool, '/', bodyOf('2'.repeat(40)), () => ({ 'content-type': 'application/json' })))
  } finally {
    await pool.destroy()
    child.kill()
  }
}

/** How long a provider waits for the answer to a hook while a hundred pushes a second arrive. */
export async function hookFigures(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-hooks-'))
  try {
    const floor = await echo()
    await using git = await gitServer(folder)
    const environment = { ROUNDHOUSE_REPOSITORY_HOSTS: '127.0.0.1' }
    await using service = await startService({ slots: 0, environment })
    const project = { url: `${git.url}/acme/web.git`, organization: 'acme', name: 'web', provider: 'provider-a' }
    await call(service, 'POST', '/api/rh/v1/project', project)
    const receiver = await call<{ readonly url: string; readonly secret: string }>(
      service,
      'POST',
      '/api/rh/v1/project/gh/acme/web/receivers',
    )
    const body = bodyOf(git.revision)
    const signature = `sha256=${createHmac('sha256', receiver.secret).update(body).digest('hex')}`
    const pool = new Pool(service.url, { connections: 20 })
    try {
      const took = await paced(pool, new URL(receiver.url).pathname, body, (i) => ({
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': `bench-${i}`,
        'x-hub-signature-256': signature,
      }))
      const ours = median(took)
      const ms = (value: number) => `${value.toFixed(2)} ms`
      return [
        { what: 'hook answered, 100 a second', ours: ms(ours), floor: ms(10), ratio: ours / 10, goal: 1 },
        { what: 'the same against a bare echo', ours: ms(ours), floor: ms(floor), ratio: ours / floor, goal: 10 },
      ]
    } finally {
      await pool.destroy()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
