import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobSpec } from '#contract/agent.ts'
import type { finishJob, showLog, StepReport } from '#contract/agent/report.ts'
import type { storeTests, Timings } from '#contract/agent/tests.ts'
import type { Input } from '#contract/endpoint.ts'

/** The end of a job as an agent sent it. */
export type Finish = Input<typeof finishJob>['body']

/** One batch of test results. */
export type TestBatch = Input<typeof storeTests>['body']

type Window = Input<typeof showLog>['body']

/** What a test may let go wrong with one request: `drop` does it and loses the answer, `close` does not even do it. */
export type Mishap = 'drop' | 'close' | 'unavailable' | undefined

/** What the server knows of a job. */
export interface Kept {
  readonly spec: JobSpec
  readonly logs: Map<number, Buffer[]>
  readonly steps: Map<number, StepReport>
  /** What was told of when its bytes were seen, request by request. */
  readonly times: string[]
  /** Batches of test results, by step. */
  readonly tests: Map<number, TestBatch[]>
  /** Paths of artifacts, as they came. */
  readonly artifacts: string[]
  finish?: Finish
  canceled?: boolean
  lost?: boolean
}

/** A server that speaks the agent's protocol on a real socket, keeps everything in memory, and can be told to misbehave. */
export async function fakeServer(
  settings: {
    leaseMs?: number
    holdMs?: number
    port?: number
    folder?: () => string
    timings?: Timings
    /** The tests to which jobs are to keep themselves. */
    /** Files whose tests are all in quarantine. */
    quarantined?: readonly string[]
    failed?: readonly { file: string; classname: string; name: string }[]
  } = {},
) {
  const { leaseMs = 60_000, holdMs = 2000 } = settings
  const queue: JobSpec[] = []
  const jobs = new Map<string, Kept>()
  const requests: string[] = []
  const obstacles: string[] = []
  const bells = new Set<() => void>()
  const closing = new AbortController()
  let mishap: (request: string) => Mishap = () => undefined
  let refuse: number | undefined
  let instance = ''

  const ring = () => {
    for (const bell of bells) bell()
  }
  /** Resolves with the first value that `look` gives; looks again whenever anything happens. */
  function until<T>(look: () => T | undefined, ms = 180_000, what = 'what was expected'): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => finish(() => reject(new Error(`The server waited ${ms} ms in vain for ${what}`))),
        ms,
      )
      const bell = () => {
        const value = look()
        if (value !== undefined && value !== false) finish(() => resolve(value))
      }
      const end = () => finish(() => reject(new Error('The server is closed')))
      const finish = (settle: () => void) => {
        clearTimeout(timer)
        bells.delete(bell)
        closing.signal.removeEventListener('abort', end)
        settle()
      }
      closing.signal.addEventListener('abort', end, { once: true })
      bells.add(bell)
      bell()
    })
  }

  function answer(path: string, token: string, headers: http.IncomingHttpHeaders, bytes: Buffer): unknown {
    const body = () => JSON.parse(bytes.toString())
    if (path === '/register') {
      instance = body().instance
      return {
        agent_id: '00000000-0000-7000-8000-000000000000',
        name: body().name ?? 'as its token',
        lease_ms: leaseMs,
        accept_ms: leaseMs,
        hold_ms: holdMs,
      }
    }
    if (path === '/claim' || path === '/heartbeat') {
      if (refuse !== undefined || body().instance !== instance) return { status: refuse ?? 409, message: 'refused' }
      if (body().obstacle !== undefined) {
        obstacles.push(body().obstacle)
        return { jobs: [] }
      }
      return path === '/claim' ? claim(body().free, body().instance) : beat(body().leases)
    }
    const [, , id = '', what, index = '', form] = path.split('/')
    const job = jobs.get(id)
    if (!job || token !== job.spec.token || job.lost) return { status: 401, message: 'This lease has ended' }
    if (what === 'steps') for (const report of body().steps as StepReport[]) job.steps.set(report.index, report)
    if (what === 'step' && form === 'tests') return keepTests(job, Number(index), body())
    if (what?.startsWith('timings')) return settings.timings ?? {}
    if (what === 'identity') return { token: `token for ${body().audience ?? 'anybody'}` }
    if (what === 'quarantine') return { filename: settings.quarantined ?? [], classname: [], testname: [] }
    if (what === 'failed-tests') return { only_failed: settings.failed !== undefined, tests: settings.failed ?? [] }
    if (what === 'step' && form === 'window') return show(job, Number(index), body())
    if (what === 'step') job.times.push(String(headers['log-times'] ?? ''))
    if (what === 'step') return append(job, Number(index), headers['content-range'] ?? '', bytes)
    if (what === 'finish') return finish(job, body())
    if (what === 'artifacts') {
      const index = JSON.parse(bytes.toString().split('\n')[0] ?? '') as readonly [string, number][]
      job.artifacts.push(...index.map(([name]) => name))
    }
    if (what?.startsWith('artifact?')) job.artifacts.push(new URL(path, 'http://x').searchParams.get('path') ?? '')
    return { message: 'ok' }
  }

  async function claim(free: number, by: string) {
    await until(() => queue.length > 0, holdMs).catch(() => undefined)
    // Whoever was killed meanwhile must not take with it what another process of the agent waits for.
    const taken = by === instance ? queue.splice(0, free) : []
    for (const spec of taken)
      jobs.set(spec.id, { spec, logs: new Map(), times: [], steps: new Map(), tests: new Map(), artifacts: [] })
    return { jobs: taken }
  }

  async function beat(leases: readonly { job: string; fence: number }[]) {
    const named = (which: 'canceled' | 'lost') => leases.filter(({ job }) => jobs.get(job)?.[which])
    await until(() => named('canceled').length + named('lost').length > 0, holdMs).catch(() => undefined)
    return { cancel: named('canceled'), lost: named('lost') }
  }

  function append(job: Kept, index: number, range: string, bytes: Buffer) {
    const log = job.logs.get(index) ?? []
    const size = sizeOf(log)
    const [, from, to] = /^bytes (\d+)-(\d+)\/\*$/.exec(range) ?? []
    if (Number(to) - Number(from) + 1 !== bytes.length) return { status: 400, message: `Range ${range} does not fit` }
    if (Number(from) !== size) return { status: 416, offset: size }
    job.logs.set(index, [...log, bytes])
    return { offset: size + bytes.length }
  }

  function keepTests(job: Kept, index: number, batch: TestBatch) {
    const batches = job.tests.get(index) ?? []
    if (batch.batch === batches.length) batches.push(batch)
    job.tests.set(index, batches)
    return { batches: batches.length }
  }

  /** Looks into the agent's folder, where it was told of one. */
  function show(job: Kept, index: number, window: Window) {
    const size = sizeOf(job.logs.get(index) ?? [])
    if (settings.folder === undefined) return { status: 409, message: 'Send the bytes' }
    if (window.start !== size) return { status: 416, offset: size }
    job.times.push(window.times ?? '')
    const file = readFileSync(join(settings.folder(), 'jobs', window.folder, `step-${index}.out`))
    job.logs.set(index, [...(job.logs.get(index) ?? []), file.subarray(window.at, window.at + window.size)])
    return { offset: size + window.size }
  }

  function finish(job: Kept, body: Finish) {
    for (const { index, log_size, log_crc } of body.steps) {
      const log = job.logs.get(index) ?? []
      if (log_size !== null && log_size !== sizeOf(log))
        return { status: 409, offset: sizeOf(log), message: 'A log is incomplete' }
      if (log_crc !== null && log_crc !== log.reduce((crc, piece) => crc32(piece, crc), 0))
        return { status: 400, message: 'Wrong checksum' }
    }
    job.finish ??= body
    return { message: 'ok' }
  }

  async function handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const path = (request.url ?? '').replace('/api/rh/v1/agent', '')
    const name = path.replace(/^\/job\/[^/]+/, '')
    requests.push(name)
    ring()
    const wrong = mishap(name)
    if (wrong === 'close') return void request.socket.destroy()
    if (wrong === 'unavailable') return void response.writeHead(503).end('{"message":"later"}')
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const result = (await answer(path, token, request.headers, Buffer.concat(pieces))) as { status?: number }
    ring()
    if (wrong === 'drop') return void request.socket.destroy()
    const { status = 200, ...body } = result
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const server = http.createServer(
    (request, response) => void handle(request, response).catch(() => request.socket.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(settings.port ?? 0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs,
    requests,
    /** Why the agent could take no jobs, claim by claim. */
    obstacles,
    until,
    /** Puts a job on the queue and wakes whoever waits for one. */
    enqueue(spec: JobSpec) {
      queue.push(spec)
      ring()
    },
    /** Resolves when the agent has reported the end of a job. */
    finished: (id: string, ms?: number) => until(() => jobs.get(id)?.finish, ms, `the end of job ${id}`),
    change(id: string, what: Partial<Pick<Kept, 'canceled' | 'lost'>>) {
      Object.assign(jobs.get(id) ?? {}, what)
      ring()
    },
    logOf: (id: string, index: number) => Buffer.concat(jobs.get(id)?.logs.get(index) ?? []),
    /** Decides about each request from now on, named by the end of its path: `/finish`. */
    upset(rule: (request: string) => Mishap) {
      mishap = rule
    },
    /** Answers claims, registrations and heartbeats with this status from now on. */
    refuse(status: number) {
      refuse = status
      ring()
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        closing.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const sizeOf = (log: readonly Buffer[]) => log.reduce((sum, piece) => sum + piece.length, 0)
