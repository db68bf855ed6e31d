import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { runAgent } from '#agent/agent.ts'
import type { Settings } from '#cli/declared-settings.ts'
import { resolveSettings } from '#cli/settings.ts'
import { serverAt } from '#cli/server.ts'
import { pause } from '#kit/backoff.ts'
import { openEdge } from '#server/api/server.ts'
import { openApp } from '#server/app/app.ts'
import { resumeLeases } from '#server/app/leases.ts'
import { cancelLeftovers } from '#server/app/local-runs.ts'
import { ensureAdmin } from '#server/app/people.ts'
import { newToken } from '#server/app/seal.ts'
import type { World } from '#server/app/world.ts'
import { startWork } from '#server/work/loops.ts'
import { jobOptions } from './agent-options.ts'
import { readText } from './config.ts'
import { ensureToken } from './embedded-agent.ts'
import { ownFile } from './keys.ts'
import { version } from './root.ts'
import { FolderInUse, openWorld } from './world.ts'

/** How a service for one checkout is opened. */
export interface LocalOptions {
  readonly folder: string
  /** Of the user: those about orbs and about running jobs are taken over. */
  readonly settings: Settings
  readonly flags: Parameters<typeof jobOptions>[0]
  /** Of the shell that it is run in. */
  readonly environment: NodeJS.ProcessEnv
  readonly slots: number
  readonly log: (line: string) => void
}

/** The whole service in this process, for as long as one run takes: on loopback, at any free port, in a folder of its own. */
export async function openLocal(options: LocalOptions) {
  const where = { url: '', agent: '' }
  const jobs = (folder: string) => (agent: string) =>
    agent === where.agent ? join(folder, 'agent', 'jobs') : undefined
  const opened = await openFree(options, jobs)
  const { folder } = opened
  const { terms } = opened.world
  const world: World = {
    ...opened.world,
    terms: {
      ...terms,
      get baseUrl() {
        return where.url
      },
    },
  }
  const app = openApp(world)
  const token = ownFile(join(folder, 'admin-token'), () => newToken('user')).content
  await ensureAdmin(world, 'admin', token)
  const http = await openEdge(app, { version, pages: undefined, isDraining: () => false, trustedProxies: [] })
  where.url = await http.listen({ host: '127.0.0.1', port: await samePort(join(folder, 'port')) })
  await resumeLeases(world)
  await cancelLeftovers(app)
  const work = startWork(app)
  where.agent = await ensureToken(world, join(folder, 'agent-token'))
  const drain = new AbortController()
  const abandon = new AbortController()
  const agent = runAgent(
    {
      ...agentOptions(options, folder),
      server: where.url,
      token: ownFile(join(folder, 'agent-token'), () => '').content,
      abandon: abandon.signal,
    },
    drain.signal,
  )
  const user = await app.callers.find(token)
  if (user.kind !== 'user') throw new Error('Cannot find the user of this service')

  return {
    app,
    user,
    server: serverAt(where.url, token),
    agent,
    /** Resolves when something changed, and at the latest after so long. */
    async changed(ms: number, signal: AbortSignal): Promise<void> {
      const stop = new AbortController()
      const quiet = world.bell.listenToAll((topic) => /^(pipeline|workflow|job):/.test(topic) && stop.abort())
      await pause(ms, AbortSignal.any([signal, stop.signal]))
      quiet()
    },
    /** Ends whatever still runs, at once. */
    async kill(): Promise<void> {
      abandon.abort()
      await Promise.race([agent, pause(5_000)])
    },
    async [Symbol.asyncDispose]() {
      drain.abort()
      await agent
      await work[Symbol.asyncDispose]()
      await http.close()
      await opened[Symbol.asyncDispose]()
    },
  }
}

/** The port of the run before, if it is free: the agent keeps what it fetched by the address it came from. */
async function samePort(file: string): Promise<number> {
  const before = Number(/^\d{1,5}$/.exec(readText(file) ?? '')?.[0] ?? 0) % 65_536
  const probe = createServer()
  const listening = (port: number) =>
    new Promise<boolean>((done) => {
      probe.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
  if (!(await listening(before))) await listening(0)
  const { port } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  writeFileSync(file, String(port))
  return port
}

const mostAtOnce = 16

/** Several runs of one checkout may go on at once: each has a folder in which no other works. */
async function openFree({ folder, settings }: LocalOptions, jobs: (folder: string) => World['foldersOf']) {
  for (let i = 1; i <= mostAtOnce; i++) {
    const data = join(folder, i === 1 ? 'service' : `service-${i}`)
    mkdirSync(data, { recursive: true, mode: 0o700 })
    try {
      return await openWorld(settingsFor(data, settings), jobs(data))
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
    }
  }
  throw new Error(`Cannot run: ${mostAtOnce} runs of this checkout go on already`)
}

/** None of the settings of a server that stands somewhere else counts here. */
function settingsFor(data: string, settings: Settings): Settings {
  const flags = { data, listen: '127.0.0.1:0', 'rate-limit': '0', 'log-level': 'error' }
  const { settings: usual } = resolveSettings({ flags, environment: {}, file: undefined })
  return {
    ...usual,
    'orb-registry': settings['orb-registry'] ?? join(settings.data, 'orbs'),
    'orb-urls': settings['orb-urls'],
    'repository-hosts': settings['repository-hosts'],
    dialect: settings.dialect,
    'hosted-as': settings['hosted-as'],
    'job-minutes': settings['job-minutes'],
  }
}

function agentOptions({ slots, flags, environment, log }: LocalOptions, folder: string) {
  const { docker, ...rest } = jobOptions({ 'without-engine': 'run', ...flags }, environment)
  return {
    folder: join(folder, 'agent'),
    name: 'local',
    slots,
    resourceClasses: [],
    version,
    log,
    graceMs: 5_000,
    ...rest,
    // Whose engine it is may have what is in it, and is perhaps where no registry can be reached.
    ...(docker && {
      docker: { pull: 'only-missing' as const, ...docker, clouds: { ...docker.clouds, alone: true } },
    }),
  }
}
