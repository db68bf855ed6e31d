import { join, resolve } from 'node:path'
import { uuidv7 } from '#kit/uuid.ts'
import { type MirrorOptions, openMirrors, usualMirrorBytes } from './checkout/mirrors.ts'
import { claimLoop } from './claim-loop.ts'
import { searchPath } from './environment.ts'
import { type DockerExecutor, dockerExecutor, type DockerOptions } from './executors/docker/docker.ts'
import { targetOf } from './executors/docker/engine.ts'
import { dummyExecutor, type Scripted } from './executors/dummy.ts'
import type { Command } from './executors/executor.ts'
import { cageOf, type Isolation } from './executors/cage.ts'
import { openExchange } from './exchange.ts'
import { executorOf } from './executors/executors.ts'
import { shellExecutor } from './executors/shell.ts'
import { lackOfSpace, usualLeastFree } from './full-disk.ts'
import { lockFolder } from './folder-lock.ts'
import { openJobs } from './jobs.ts'
import { openLeases } from './leases.ts'
import { openServer, persist } from './server.ts'
import { openDoor } from './ssh/door.ts'
import type { DoorOptions } from './ssh/entries.ts'
import { installStepTools } from './step-tools.ts'
import { openWire, Refused } from './wire.ts'
import { type AgentExecutor, executorsHere, protocol } from './offer.ts'

/** How an agent is set up. */
export interface AgentOptions {
  /** `http://127.0.0.1:8080` */
  readonly server: string
  readonly token: string
  /** Its own; made if it is missing, readable by this user only. Jobs lie in it, and survive the process in it. */
  readonly folder: string
  /** As before unless given, and at first as its token. */
  readonly name?: string
  readonly slots: number
  /** Empty: any. */
  readonly resourceClasses: readonly string[]
  /** What jobs may ask for behind their resource class. */
  readonly labels?: readonly string[]
  /** What it can run; what this machine can, unless given. */
  readonly executors?: readonly AgentExecutor[]
  readonly version: string
  readonly log: (line: string) => void
  /** Where steps find programs, before the usual folders; the search path of this process unless given. */
  readonly path?: string
  /** Runs docker jobs in containers, where the engine answers. */
  readonly docker?: DockerOptions
  /** The image in which machine jobs run; on this machine unless given. */
  readonly machineImage?: string
  /** Locks jobs on this machine in with bubblewrap. */
  readonly isolation?: Isolation
  /** Runs nothing, but ends each command as this says: for scenarios. */
  readonly dummy?: (command: Command) => Scripted
  /** Whether docker jobs may run on this machine, without their images, where no engine answers; they do unless given. */
  readonly withoutEngine?: 'run' | 'refuse'
  /** Where people come into jobs by SSH; on loopback, at any free port, unless given. */
  readonly ssh?: Partial<Omit<DoorOptions, 'folder'>>
  /** How much the repositories that it keeps may take, 10 GiB unless given. */
  readonly mirrors?: Partial<Omit<MirrorOptions, 'folder'>>
  /** With less left on the disk of its folder it takes no jobs; 256 MiB unless given. */
  readonly leastFreeBytes?: number
  /** How long a job that is asked to end may take; 10 seconds unless given. */
  readonly graceMs?: number
  /** When this aborts, everything that still runs is made to end at once, and so does the agent. */
  readonly abandon?: AbortSignal
}

/** Why an agent has ended: it was asked to, or it could not go on. */
export type AgentEnd = 'drained' | 'failed'

/**
 * Works as an agent until the signal aborts or the server asks it to end, and then until its jobs have ended; also ends when the server
 * refuses it. May be killed at any moment: the next process with the same folder goes on with the same jobs.
 */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<AgentEnd> {
  const { log, slots, graceMs = 10_000 } = options
  // Steps work elsewhere: what they are told about this folder must not depend on where they are.
  const folder = resolve(options.folder)
  lockFolder(folder)
  using wire = openWire(options.server)
  const server = openServer(wire, options.token)
  const tools = installStepTools(folder)
  const path = searchPath(options.path ?? process.env['PATH'] ?? '')
  const engine = options.docker && (targetOf(options.docker.address).socketPath ?? undefined)
  const cage = options.isolation && cageOf(folder, tools, { ...options.isolation, engine })
  const shell = shellExecutor(join(folder, 'jobs'), slots, { tools, path, cage, ...lent(options) })
  const docker = options.docker && dockerExecutor(join(folder, 'jobs'), tools, options.docker)
  const { withoutEngine = 'run', machineImage } = options
  const executor = options.dummy
    ? dummyExecutor(join(folder, 'jobs'), options.dummy)
    : executorOf({ shell, docker, withoutEngine, machineImage })
  const instance = uuidv7()
  const leases = openLeases(server, instance, graceMs, () => signal.aborted)
  const speak = () => leases.speak()
  signal.addEventListener('abort', speak)
  const mirrors = openMirrors({ folder: join(folder, 'mirrors'), mostBytes: usualMirrorBytes, ...options.mirrors })
  const door = openDoor({ listen: '127.0.0.1:0', forwarding: false, ...options.ssh, folder })
  const jobs = openJobs({
    wire,
    executor,
    leases,
    graceMs,
    door,
    mirrors,
    exchange: openExchange(join(folder, 'exchange')),
    ownSecrets: [options.token],
    version: options.version,
    tell: log,
  })
  const idle = new AbortController()

  try {
    await jobs.takeOver()
    const obstacle = await executor.probe()
    if (obstacle !== undefined) throw new Error(obstacle)
    const executors = options.executors ?? (await executorsOf(docker, withoutEngine, log))
    // Jobs that were taken over need their leases, also when no others are wanted any more.
    const wanted = jobs.count() > 0 ? idle.signal : signal
    const { name, lease_ms, accept_ms, hold_ms } = await persist(
      () =>
        server.register({ ...introduction({ ...options, executors }, instance), leases: [...leases.all()] }, wanted),
      wanted,
      log,
    )
    log(`Registered as ${name} with ${slots} slots`)
    const keeping = leases.keep(hold_ms, idle.signal)
    const working = claimLoop(
      {
        server,
        jobs,
        instance,
        slots,
        leaseMs: lease_ms,
        acceptMs: accept_ms,
        holdMs: hold_ms,
        tell: log,
        obstacle: () => lackOfSpace(folder, options.leastFreeBytes ?? usualLeastFree),
      },
      signal,
    ).then(() => jobs.idle())
    await Promise.race([working, keeping, ...(options.abandon ? [aborted(options.abandon)] : [])])
    return 'drained'
  } catch (error) {
    if (signal.aborted && !(error instanceof Refused)) return 'drained'
    log(`The agent ends: ${error instanceof Error ? error.message : String(error)}`)
    return 'failed'
  } finally {
    signal.removeEventListener('abort', speak)
    jobs.loseAll()
    idle.abort(new Error('The agent has ended'))
    await jobs.idle()
    await executor.close()
  }
}

/** Where the engine is, for jobs of this machine that are not locked in, where it is lent to jobs: their home does not tell them. */
const lent = ({ docker, isolation }: AgentOptions) =>
  docker?.remoteDocker?.type === 'engine' && !isolation ? { environment: { DOCKER_HOST: docker.address } } : {}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** What this agent can run. Docker jobs are left to others where there is no engine and this machine may not stand in for it. */
async function executorsOf(
  docker: DockerExecutor | undefined,
  withoutEngine: 'run' | 'refuse',
  log: (line: string) => void,
): Promise<readonly AgentExecutor[]> {
  const all = executorsHere(process.platform, process.arch)
  const obstacle = docker ? await docker.probe() : 'No docker engine is to be used'
  if (obstacle === undefined) return all
  const instead = withoutEngine === 'run' ? 'run on this machine, without their images' : 'are left to other agents'
  log(`${obstacle}: docker jobs ${instead}`)
  return all.filter((executor) => executor !== 'docker' || withoutEngine === 'run')
}

const introduction = (options: AgentOptions, instance: string) => ({
  instance,
  ...(options.name !== undefined && { name: options.name }),
  version: options.version,
  slots: options.slots,
  resource_classes: [...options.resourceClasses],
  labels: [...(options.labels ?? [])],
  executors: [...(options.executors ?? executorsHere(process.platform, process.arch))],
  protocol,
})
