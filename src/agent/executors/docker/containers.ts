import type { JobSpec } from '#contract/agent.ts'
import { join } from 'node:path'
import { Unready } from '#agent/executors/executor.ts'
import { supervisorCommand } from './channel.ts'
import { type Engine, EngineRefusal } from './engine.ts'
import type { Image, ImageSpec } from './images.ts'
import type { Limits } from './limits.ts'

/** What the containers of one agent have in common. */
export interface Yard {
  /** Tells the containers of this agent from those of others on the same engine. */
  readonly mark: string
  /** The folder with the agent's own commands, on this machine. */
  readonly tools: string
  /** The engine's network that jobs are put into. */
  readonly network: string
}

/** Where the folders of a job are inside its container. */
export const inside = {
  shared: '/roundhouse/job',
  steps: '/roundhouse/steps',
  tools: '/roundhouse/bin',
  engine: '/roundhouse/docker.sock',
  ownEngine: '/roundhouse/engine',
} as const

/** The label that names the agent, and the one that names the folder of the job. */
export const labels = { agent: 'roundhouse.agent', job: 'roundhouse.job' } as const

/** What an engine says of a container. */
export interface Inspected {
  readonly Id: string
  readonly State: {
    readonly Running: boolean
    readonly OOMKilled: boolean
    readonly ExitCode: number
    readonly Pid: number
    readonly Error?: string
  }
}

/** Names of the containers of a job, by the name of its folder. */
export const nameOf = (job: string, part?: string | number): string =>
  part === undefined ? `roundhouse-${job}` : `roundhouse-${job}-${part}`

/** The engine keeps the last of what a container prints. */
const shortLog = { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } }

const bind = (Source: string, Target: string, ReadOnly: boolean) => ({ Type: 'bind', Source, Target, ReadOnly })

const limited = (limits: Limits | undefined, engineCpus: number) =>
  limits && {
    // An engine refuses more than it has.
    NanoCpus: Math.round(Math.min(limits.cpus, engineCpus) * 1e9),
    Memory: limits.memoryMiB * 1024 * 1024,
    MemorySwap: limits.memoryMiB * 1024 * 1024,
    ShmSize: limits.memoryMiB * 512 * 1024,
  }

const common = (yard: Yard, job: string, spec: ImageSpec) => ({
  Image: spec.image,
  Labels: { [labels.agent]: yard.mark, [labels.job]: job },
  Env: Object.entries(spec.environment).map(([name, value]) => `${name}=${value}`),
  ...(spec.user !== undefined && { User: spec.user }),
  ...(spec.entrypoint && { Entrypoint: spec.entrypoint }),
  ...(spec.command && { Cmd: spec.command }),
})

/** Whether the primary container keeps what its image starts, and steps run beside that (A4). */
export const keepsEntrypoint = (spec: ImageSpec, image: Image): boolean =>
  spec.entrypoint !== undefined ||
  spec.command !== undefined ||
  image.Config?.Labels?.['com.circleci.preserve-entrypoint'] === 'true'

/** How the container is made in which the steps run. */
export function primaryBody(
  yard: Yard,
  folder: string,
  job: string,
  images: readonly ImageSpec[],
  image: Image,
  size: { readonly limits: Limits | undefined; readonly engineCpus: number },
  more: { readonly mounts?: readonly object[]; readonly groups?: readonly string[] } = {},
): object {
  const [spec] = images
  if (!spec) throw new Unready('Cannot start the job: it names no image', 'job')
  const names = images.flatMap(({ name }) => name ?? [])
  const odd = names.find((name) => !/^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/.test(name))
  if (odd !== undefined) throw new Unready(`Cannot start the job: ${odd} cannot be the name of a host`, 'job')
  return {
    ...common(yard, job, spec),
    ...(!keepsEntrypoint(spec, image) && { Entrypoint: supervisorCommand(inside.shared, inside.steps), Cmd: [] }),
    // Its input stays open when the agent goes away: the next one finds the supervisor waiting.
    OpenStdin: true,
    AttachStdin: true,
    AttachStdout: true,
    HostConfig: {
      ...limited(size.limits, size.engineCpus),
      NetworkMode: yard.network,
      ExtraHosts: names.map((name) => `${name}:127.0.0.1`),
      GroupAdd: more.groups ?? [],
      // Where jobs of the original put what must be quick (B7); it counts as memory of the job.
      Tmpfs: { '/mnt/ramdisk': 'rw,exec,nosuid,nodev,mode=1777' },
      // What steps write goes to files of ours; a copy of it in the engine would help nobody. What an entrypoint says before it ends would.
      LogConfig: keepsEntrypoint(spec, image) ? shortLog : { Type: 'none' },
      Mounts: [
        bind(join(folder, 'shared'), inside.shared, false),
        bind(join(folder, 'steps'), inside.steps, true),
        bind(yard.tools, inside.tools, true),
        ...(more.mounts ?? []),
      ],
    },
  }
}

/** How a service container is made: in the network of the primary one. */
export const serviceBody = (
  yard: Yard,
  job: string,
  spec: ImageSpec,
  size: { readonly limits: Limits | undefined; readonly engineCpus: number },
): object => ({
  ...common(yard, job, spec),
  HostConfig: {
    ...limited(size.limits, size.engineCpus),
    NetworkMode: `container:${nameOf(job)}`,
    LogConfig: shortLog,
  },
})

/** Makes a container, not started; one of the same name that an earlier try left is replaced. */
export async function createContainer(engine: Engine, name: string, body: object, signal: AbortSignal): Promise<void> {
  const create = () => engine.ask('POST', '/containers/create', { query: { name }, body, signal })
  try {
    await create()
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error
    if (error.status !== 409) throw new Unready(`Cannot make a container: ${error.message}`, faultOf(error))
    await removeContainer(engine, name)
    await create()
  }
}

/** Starts a container; what its image does not hold is the fault of the job. */
export async function startContainer(engine: Engine, name: string, signal: AbortSignal): Promise<void> {
  try {
    await engine.ask('POST', `/containers/${name}/start`, { signal })
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error
    const hint = /exec.*\/bin\/sh.*no such file/s.test(error.message) ? ' (an image for jobs needs a /bin/sh)' : ''
    throw new Unready(`Cannot start the container: ${error.message}${hint}`, faultOf(error))
  }
}

const faultOf = (error: EngineRefusal) =>
  error.status === 400 ||
  /no such file|executable file not found|permission denied|unable to find user/i.test(error.message)
    ? 'job'
    : 'agent'

/** What an engine says of a container; undefined when there is none. */
export async function inspect(engine: Engine, name: string, signal?: AbortSignal): Promise<Inspected | undefined> {
  try {
    return await engine.ask<Inspected>('GET', `/containers/${name}/json`, { signal, timeoutMs: 10_000 })
  } catch (error) {
    if (error instanceof EngineRefusal && error.status === 404) return undefined
    throw error
  }
}

/** Ends and removes a container and what was kept for it; fine when there is none. */
export async function removeContainer(engine: Engine, name: string): Promise<void> {
  try {
    await engine.ask('DELETE', `/containers/${name}`, { query: { force: '1', v: '1' } })
  } catch (error) {
    // 409: somebody else is removing it just now.
    if (error instanceof EngineRefusal && (error.status === 404 || error.status === 409)) return
    throw error
  }
}

/** The containers that carry a label, running or not. */
export const containersWith = (engine: Engine, label: string): Promise<readonly Listed[]> =>
  engine.ask<readonly Listed[]>('GET', '/containers/json', {
    query: { all: '1', filters: JSON.stringify({ label: [label] }) },
  })

/** A container in a list. */
export interface Listed {
  readonly Id: string
  readonly Labels: Readonly<Record<string, string>>
}

/** Whether a job builds images, and so wants an engine of its own. */
export const wantsEngine = ({ steps }: JobSpec): boolean => steps.some(({ type }) => type === 'setup_remote_docker')
