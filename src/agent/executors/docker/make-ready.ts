import { basename } from 'node:path'
import type { JobSpec } from '#contract/agent.ts'
import { Unready } from '#agent/executors/executor.ts'
import { type Channel, openChannel, supervisorCommand } from './channel.ts'
import { createContainer, inside, inspect, keepsEntrypoint, nameOf, primaryBody, startContainer } from './containers.ts'
import type { Dock } from './dock.ts'
import { type Engine, EngineAway, EngineRefusal } from './engine.ts'
import { execIn } from './exec.ts'
import { ensureImage } from './images.ts'
import { limitsOf } from './limits.ts'
import { remoteOf } from './remote-docker.ts'
import { lastWords } from './service-log.ts'
import { awaitServices, type Service, startServices } from './services.ts'
import { type DockerState, readState, writeState } from './spool.ts'

/** A place that is ready, and the line to its supervisor. */
export interface Ready {
  readonly state: NonNullable<DockerState['ready']>
  readonly channel: Channel
}

/** How long the container may take to say its first word. */
const helloMs = 60_000

/** Makes the containers of a job, from the start: an earlier try may have left some of them. */
export async function makeContainers(
  dock: Dock,
  folder: string,
  spec: JobSpec,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<Ready> {
  const { engine, yard } = dock
  const images = spec.executor.type === 'docker' ? spec.executor.images : []
  const job = basename(folder)
  const [primary, ...rest] = images
  if (!primary) throw new Unready('Cannot start the job: it names no image', 'job')
  const { version, cpus } = await dock.about()
  say(`Docker Engine Version: ${version}\n`)
  const limits = limitsOf(spec.resource_class, dock.limits)
  const size = { limits, engineCpus: cpus }

  say(`Starting container ${primary.image}\n`)
  const asker = { job: spec.id, say, signal }
  const image = await ensureImage(dock, primary, asker)
  const services: Service[] = []
  for (const one of rest) services.push({ spec: one, image: await ensureImage(dock, one, asker) })
  const begun = performance.now()
  const kept = keepsEntrypoint(primary, image)
  const body = primaryBody(yard, folder, job, images, image, size, remoteOf(dock, folder, spec))
  await createContainer(engine, nameOf(job), body, signal)
  // Before it starts, so that nothing it says is missed.
  const attached = kept ? undefined : await attach(engine, job)
  await startContainer(engine, nameOf(job), signal)
  const channel = attached ?? (await superviseBeside(engine, job, signal))
  const arrived = await Promise.race([channel.inside, silence(signal)])
  if (!arrived) throw await unready(engine, job, channel.complaint(), signal)
  say(`Time to create container: ${Math.round(performance.now() - begun)}ms\n`)
  await startServices({ engine, yard, job, say, signal }, services, size)
  if (services.length > 0) await awaitServices({ engine, yard, job, say, signal }, services)
  const state = { ...arrived, keepsEntrypoint: kept }
  writeState(folder, { ready: state })
  return { state, channel }
}

/** The line to the supervisor of a place that is ready; undefined when nothing runs there any more. */
export async function reach(dock: Dock, folder: string): Promise<Channel | undefined> {
  const job = basename(folder)
  const found = await inspect(dock.engine, nameOf(job))
  if (!found?.State.Running) return undefined
  return readState(folder)?.ready?.keepsEntrypoint === true ? supervise(dock.engine, job) : attach(dock.engine, job)
}

/** The supervisor that the container itself is. */
async function attach(engine: Engine, job: string): Promise<Channel> {
  const query = { stream: '1', stdin: '1', stdout: '1', stderr: '1' }
  return openChannel(await engine.connect(`/containers/${nameOf(job)}/attach`, { query }))
}

/** A supervisor of its own, in a container that does something else. It goes away with the line. */
async function supervise(engine: Engine, job: string): Promise<Channel> {
  const command = supervisorCommand(inside.shared, inside.steps)
  return openChannel((await execIn(engine, nameOf(job), { command })).socket)
}

/** The first supervisor beside what an image starts, which may have ended before it. */
async function superviseBeside(engine: Engine, job: string, signal: AbortSignal): Promise<Channel> {
  try {
    return await supervise(engine, job)
  } catch (error) {
    if (!(error instanceof EngineRefusal) || (await inspect(engine, nameOf(job), signal))?.State.Running) throw error
    throw await unready(engine, job, '', signal)
  }
}

function silence(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = AbortSignal.timeout(helloMs)
  const end = AbortSignal.any([signal, late])
  end.addEventListener('abort', () =>
    reject(late.aborted ? new EngineAway('The container did not say a word in time') : end.reason),
  )
  promise.catch(() => {})
  return promise
}

/** Why a container that was started cannot be used, with the last words of what its entrypoint started. */
async function unready(engine: Engine, job: string, complaint: string, signal: AbortSignal): Promise<Unready> {
  const found = await inspect(engine, nameOf(job), signal)
  const words = [complaint, found?.State.Error ?? ''].filter(Boolean).join(': ')
  const code = found && !found.State.Running ? ` It ended with code ${found.State.ExitCode}.` : ''
  const said = (await lastWords(engine, nameOf(job), signal)).trimEnd()
  return new Unready(`The container cannot run steps.${code} ${words}`.trim() + (said && `\n${said}`), 'job')
}
