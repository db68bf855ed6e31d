import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { type AgentOptions, runAgent } from '#agent/agent.ts'
import type { Endpoint, Input, Output } from '#contract/endpoint.ts'
import { instant } from '#kit/brand.ts'
import { uuidv7 } from '#kit/uuid.ts'
import { type EdgeOptions, openEdge } from '#server/api/server.ts'
import { newAgent } from '#server/app/agents.ts'
import { openApp } from '#server/app/app.ts'
import { localBell } from '#server/app/bell.ts'
import { usualInsights } from '#server/app/insight-terms.ts'
import { sealWith } from '#server/app/seal.ts'
import type { Terms, World } from '#server/app/world.ts'
import { diskBlobs } from '#server/blobs/disk.ts'
import { openStore } from '#server/store/open.ts'
import { publicProviders } from '#server/vcs/providers/terms.ts'
import { startWork } from '#server/work/loops.ts'
import { scratch } from '#test/scratch.ts'
import { type Database, emptyDatabase } from '#test/world.ts'
import { addressOf, type Answer, checkAnswer, type Question, send, valueOf } from './ask.ts'
import { packOf, pushOf } from './pack.ts'
import { newPerson } from './people.ts'

/** What a test may want other than usual. */
export interface ServiceOptions {
  readonly terms?: Partial<Terms>
  /** Slots of a real agent; none unless given. */
  readonly agentSlots?: number
  /** What that agent does otherwise than usual. */
  readonly agent?: Partial<AgentOptions>
  /** SQLite unless given. */
  readonly database?: Database
  /** What its edge does otherwise than usual. */
  readonly edge?: Partial<EdgeOptions>
}

export const edgeOptions = { version: '0.0.0', pages: undefined, isDraining: () => false }

type Parts = {
  readonly params?: Record<string, unknown>
  readonly query?: Record<string, unknown>
  readonly body?: unknown
}

/** A whole service that listens on loopback and works in a folder of its own; `admin` may do everything. */
export async function openService({
  terms = {},
  agentSlots = 0,
  agent: agentOptions = {},
  database = 'sqlite',
  edge = {},
}: ServiceOptions = {}) {
  const folder = mkdtempSync(join(scratch(), 'roundhouse-api-'))
  const place = await emptyDatabase(database, folder)
  const clock = { aheadMs: 0 }
  const errors: string[] = []
  const warnings: string[] = []
  const now = () => instant(new Date(Date.now() + clock.aheadMs))
  const where = { url: '' }
  const world: World = {
    db: await openStore(place.url, now),
    blobs: diskBlobs(join(folder, 'blobs')),
    bell: localBell(),
    seal: sealWith(Buffer.alloc(32, 7)),
    signingKey: Buffer.alloc(32, 9),
    log: {
      info: () => {},
      warn: (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
      error: (message, fields) => void errors.push(`${message} ${JSON.stringify(fields)}`),
    },
    terms: termsAt(where, terms),
    repositories: join(folder, 'repositories'),
    now,
    newId: uuidv7,
    foldersOf: () => undefined,
  }
  const app = openApp(world)
  const http = await openEdge(app, { ...edgeOptions, ...edge })
  where.url = await http.listen({ host: '127.0.0.1', port: 0 })
  const work = startWork(app)
  const admin = await newPerson(world, 'admin', true)
  const connections = new Agent({ keepAlive: true })
  const agent =
    agentSlots === 0 ? undefined : await startAgent(world, where.url, join(folder, 'agent'), agentSlots, agentOptions)

  /** Asks anything, and checks that the answer is as declared. */
  async function ask(question: Question): Promise<Answer> {
    const answer = await send(connections, where.url, question)
    if (answer.status === 500)
      assert.fail(`${question.method} ${question.path.slice(0, 300)} failed: ${errors.splice(0).join('\n')}`)
    checkAnswer(question, answer)
    return answer
  }

  return {
    app,
    world,
    admin,
    clock,
    errors,
    /** Everything that the log was warned of. */
    warnings,
    base: where.url,
    connections,
    ask,
    /** Calls a declared operation; its answer must be success. */
    async call<E extends Endpoint>(endpoint: E, input: Input<E>, token = admin.token): Promise<Output<E>> {
      const { params, query, body } = input as Parts
      const headers = { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) }
      const path = addressOf(endpoint, params, query)
      const answer = await ask({
        method: endpoint.method,
        path,
        token,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      assert.equal(answer.status, endpoint.status, `${endpoint.method} ${path}: ${answer.text}`)
      return valueOf(answer) as Output<E>
    },
    /** Where git pushes to and fetches from, with a token in the address. */
    remote: (repository: string, token: string | undefined = admin.token) =>
      `${where.url.replace('://', `://${token === '' ? '' : `${token}@`}`)}/git/${repository}.git`,
    /** Pushes one commit to `main`, and to other branches and tags, new ones: as git does, without its processes. */
    async push(
      repository: string,
      files: Readonly<Record<string, string>>,
      refs: readonly string[] = ['main'],
      token = admin.token,
      subject = 'Begin',
    ): Promise<string> {
      const pack = packOf(subject, files)
      const names = refs.map((ref) => `refs/${/^(heads|tags)\//.test(ref) ? ref : `heads/${ref}`}`)
      const answer = await send(connections, where.url, {
        method: 'POST',
        path: `/git/${repository}.git/git-receive-pack`,
        headers: {
          'content-type': 'application/x-git-receive-pack-request',
          ...(token !== '' && { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }),
        },
        body: pushOf(pack, names),
      })
      const done = answer.status === 200 && names.every((name) => answer.text.includes(`ok ${name}\n`))
      if (!done) throw new Error(`Cannot push to ${repository}: ${answer.status} ${answer.text}`)
      return pack.revision
    },
    /** Lets the service do nothing by itself any more: what changes from now on was changed by a request. */
    rest: () => work[Symbol.asyncDispose](),
    /** Sends the agent away when it has ended what it does: what waits from now on goes on waiting. */
    dismissAgent: async () => agent?.stop(),
    /** Looks again whenever something happens, until `look` finds something. */
    until: <T>(look: () => Promise<T | undefined>, ms = 120_000) => until(world, look, ms),
    async [Symbol.asyncDispose]() {
      connections.destroy()
      await agent?.stop()
      await work[Symbol.asyncDispose]()
      await http.close()
      await world.db.destroy()
      await place[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      assert.deepEqual(errors, [], 'Nothing was told to the log as an error')
    },
  }
}

export type Service = Awaited<ReturnType<typeof openService>>

/** The address is known only when somebody listens. */
function termsAt(where: { readonly url: string }, others: Partial<Terms>): Terms {
  const usual = {
    dialect: 'service',
    hostedAs: 'provider-a',
    // Long, as a test on a busy machine must not lose the jobs it holds by hand.
    leaseMs: 600_000,
    acceptMs: 600_000,
    holdMs: 5_000,
    lostJobRetries: 1,
    storage: {
      cacheDays: 15,
      workspaceDays: 15,
      artifactDays: 30,
      testDays: 90,
      mostStoredBytes: 1e9,
      mostUnpackedBytes: 1e10,
      mostArtifactBytes: 1e9,
    },
  } as const
  return Object.defineProperty(
    {
      ...usual,
      jobTimeLimitMs: 600_000,
      mostLogBytes: 1e9,
      sshIdleMs: 600_000,
      sshLongestMs: 7_200_000,
      webhookHosts: [],
      repositoryHosts: [],
      providers: publicProviders,
      providersCreateUsers: false,
      providerPermissions: false,
      hookDays: 7,
      insights: usualInsights,
      baseUrl: '',
      ...others,
    },
    'baseUrl',
    { get: () => where.url },
  )
}

async function startAgent(world: World, server: string, folder: string, slots: number, more: Partial<AgentOptions>) {
  const { token } = await newAgent(world, 'test')
  const drain = new AbortController()
  const options = {
    server,
    token,
    folder,
    name: 'test',
    slots,
    resourceClasses: [],
    version: '0',
    log: () => {},
    graceMs: 1_000,
    ...more,
  }
  const ended = runAgent(options, drain.signal)
  return {
    async stop() {
      drain.abort()
      await ended
    },
  }
}

async function until<T>(world: World, look: () => Promise<T | undefined>, ms: number): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const rung = Promise.withResolvers<void>()
    const quiet = world.bell.listenToAll(() => rung.resolve())
    // A ring tells that it is worth looking; the timer is for what rings no bell.
    const timer = setTimeout(rung.resolve, 100)
    try {
      const found = await look()
      if (found !== undefined) return found
      if (Date.now() > deadline)
        throw new Error(`Cannot wait longer than ${ms} ms for ${look.toString().slice(0, 300)}`)
      await rung.promise
    } finally {
      clearTimeout(timer)
      quiet()
    }
  }
}
