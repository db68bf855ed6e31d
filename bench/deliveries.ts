import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventTypeHeaders, names, signatureHeaders } from '#core/names.ts'
import { uuidv7 } from '#kit/uuid.ts'
import { writePending } from '#test/pending-deliveries.ts'
import { type Figure, median } from './figures.ts'
import { call, pushRepository, startService, until } from './service.ts'

/*
 * Signed deliveries to one receiver on this machine, against a bare pool of connections that signs and posts the same requests. The first half
 * of each run only warms up, and each begins with a new process: a pool that has posted for a minute is a third faster than one that begins.
 */

const count = 10_000
const lanes = 32

const receiver = `
const { createServer } = require('node:http')
let times = []
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const answer = JSON.stringify({ count: times.length, ms: times.length < 20000 ? 0 : times[19999] - times[9999] })
    if (request.url === '/reset') times = []
    return response.end(answer)
  }
  request.resume()
  request.on('end', () => { times.push(performance.now()); response.end('ok') })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

const body = JSON.stringify({
  type: 'job-completed',
  id: uuidv7(),
  happened_at: new Date().toISOString(),
  pipeline: { id: uuidv7(), number: 1, vcs: { commit: { subject: 'x'.repeat(60), body: 'y'.repeat(900) } } },
})

const secret = 'a secret that signs'
const headers = {
  'Content-Type': 'application/json',
  'User-Agent': names.service.userAgent,
  ...Object.fromEntries(eventTypeHeaders.map((name) => [name, 'job-completed'])),
}

/** Deliveries a second, of many webhooks beside each other and of one in its order, each against its floor. */
export async function deliveryFigures(): Promise<readonly Figure[]> {
  const child = spawn(process.execPath, ['-e', receiver], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    const origin = `http://127.0.0.1:${Number(port)}`
    return [
      await figure(origin, 'signed deliveries, 100 webhooks', 100, lanes, 0.6),
      await figure(origin, 'signed deliveries, one webhook in order', 1, 1, 0.6),
    ]
  } finally {
    child.kill()
  }
}

async function figure(origin: string, what: string, webhooks: number, width: number, goal: number): Promise<Figure> {
  const [floor, ours]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round++) {
    floor.push(await bare(origin, width))
    ours.push(await delivered(origin, webhooks))
  }
  const [run, base] = [median(ours), median(floor)]
  return {
    what,
    ours: `${run.toFixed(0)}/s`,
    floor: `${base.toFixed(0)}/s bare pool`,
    ratio: run / base,
    goal,
    atLeast: true,
  }
}

const reset = (origin: string) => fetch(`${origin}/reset`).then((answer) => answer.text())
const seen = async (origin: string) =>
  (await (await fetch(origin)).json()) as { readonly count: number; readonly ms: number }

async function bare(origin: string, width: number): Promise<number> {
  await reset(origin)
  const program = new URL('./bare-pool.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, origin, String(width), String(2 * count)], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  child.stdin.end(JSON.stringify({ secret, headers, signatures: signatureHeaders, body }))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`Cannot measure a bare pool: its program ended with ${code}`)
  return (count / (await seen(origin)).ms) * 1000
}

async function delivered(origin: string, webhooks: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-'))
  const environment = { ROUNDHOUSE_WEBHOOK_HOSTS: '127.0.0.1' }
  try {
    {
      await using service = await startService({ slots: 0, folder, environment })
      pushRepository(service, 'told', 'version: 2.1\n')
      const project = await call<{ readonly id: string }>(service, 'GET', '/api/v2/project/gh/bench/told')
      await call(service, 'POST', '/api/v2/webhook', {
        name: 'bench',
        url: `${origin}/hook`,
        events: ['job-completed'],
        scope: { id: project.id, type: 'project' },
        'verify-tls': true,
        'signing-secret': secret,
      })
    }
    await reset(origin)
    writePending(folder, { origin, webhooks, count: 2 * count, bodyOf: () => body })
    await using _service = await startService({ slots: 0, folder, environment })
    await until(async () => (await seen(origin)).count >= 2 * count, 120_000, 200)
    return (count / (await seen(origin)).ms) * 1000
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
