import type { JobSpec } from '#contract/agent.ts'
import { registryOf } from '#kit/image-registry.ts'
import { Unready } from '#agent/executors/executor.ts'
import type { Clouds } from './clouds/clouds.ts'
import { type Engine, EngineRefusal } from './engine.ts'

/** One image of a job. */
export type ImageSpec = Extract<JobSpec['executor'], { type: 'docker' }>['images'][number]

/**
 * When an image is pulled that is there already: one with credentials always is, as they say who may have it. `only-missing` is for an
 * engine whose images are all of whoever runs the job.
 */
export type PullPolicy = 'missing' | 'only-missing' | 'always' | 'never'

/** What an engine knows of an image. */
export interface Image {
  readonly Id: string
  readonly RepoDigests?: readonly string[] | null
  readonly Config?: {
    readonly ExposedPorts?: Readonly<Record<string, unknown>> | null
    readonly Labels?: Readonly<Record<string, string>> | null
  } | null
}

interface Progress {
  readonly id?: string
  readonly status?: string
  readonly error?: string
}

/** Pulling may take long, but not without a word. */
const silenceMs = 10 * 60_000

/** Whoever gets images: from where, when, and who gives credentials. */
export interface Puller {
  readonly engine: Engine
  readonly pull: PullPolicy
  readonly clouds: Clouds
}

/** For whom an image is got. */
export interface Asker {
  /** The id of the job. */
  readonly job: string
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/** Makes sure that the engine has an image, and says how it goes as far as somebody would want to know. */
export async function ensureImage(puller: Puller, given: ImageSpec, asker: Asker): Promise<Image> {
  const { engine, pull: policy } = puller
  const { say, signal } = asker
  const spec = usable(puller.clouds, given)
  if (spec.without_auth !== undefined) say(`  without the credentials of ${spec.image}: ${spec.without_auth}\n`)
  const here = await findImage(engine, spec.image, signal)
  const isClosed = spec.auth !== undefined || spec.cloud_auth !== undefined
  const isOpen = policy === 'only-missing' || (policy === 'missing' && !isClosed)
  if (here && (policy === 'never' || isOpen)) {
    say(`  image is cached as ${nameOf(spec.image, here)}\n`)
    return here
  }
  if (policy === 'never')
    throw new Unready(`Cannot use image ${spec.image}: this agent pulls none and does not have it`, 'agent')
  if (!here) say(`  image cache not found on this host, downloading ${spec.image}\n`)
  if (spec.cloud_auth) await pullFromCloud(puller, spec.image, spec.cloud_auth, asker)
  else await pull(engine, spec.image, spec.auth, say, signal)
  const pulled = await findImage(engine, spec.image, signal)
  if (!pulled) throw new Unready(`Cannot use image ${spec.image}: it is not there after it was pulled`, 'agent')
  say(`  using image ${nameOf(spec.image, pulled)}\n`)
  return pulled
}

/** The same image without what is of no use here. */
function usable(clouds: Clouds, spec: ImageSpec): ImageSpec {
  const { cloud_auth, ...open } = spec
  const obstacle = cloud_auth && clouds.obstacle(cloud_auth)
  return obstacle === undefined ? spec : { ...open, without_auth: obstacle }
}

/** A login that was kept may have been taken back meanwhile: then once more, with a new one. */
async function pullFromCloud(
  { engine, clouds }: Puller,
  image: string,
  auth: NonNullable<ImageSpec['cloud_auth']>,
  { job, say, signal }: Asker,
): Promise<void> {
  for (;;) {
    const login = await clouds.login({ image, auth, job, signal })
    const hide = (text: string) => text.replaceAll(login.password, '****')
    try {
      return await pull(engine, image, login, (text) => say(hide(text)), signal)
    } catch (error) {
      if (!(error instanceof Unready)) throw error
      if (!refused.test(error.message)) throw new Unready(hide(error.message), error.fault)
      clouds.forget(login)
      if (!login.kept) throw new Unready(hide(error.message), error.fault)
    }
  }
}

async function findImage(engine: Engine, name: string, signal: AbortSignal): Promise<Image | undefined> {
  try {
    return await engine.ask<Image>('GET', `/images/${encodeURIComponent(name)}/json`, { signal })
  } catch (error) {
    if (error instanceof EngineRefusal && error.status === 404) return undefined
    if (error instanceof EngineRefusal && error.status === 400) throw cannotPull(name, error.message)
    throw error
  }
}

async function pull(
  engine: Engine,
  image: string,
  auth: ImageSpec['auth'],
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const words = auth && { username: auth.username, password: auth.password, serveraddress: registryOf(image) }
  const headers: Record<string, string> = words ? { 'x-registry-auth': headerOf(words) } : {}
  // Without a tag an engine would pull them all.
  const query = { fromImage: isTagged(image) ? image : `${image}:latest` }
  try {
    const answer = await engine.read('POST', '/images/create', { query, headers, signal, timeoutMs: silenceMs })
    const heard = new Map<string, string>()
    // Loaded by those who pull: an agent that only runs things on its machine never does.
    const { createInterface } = await import('node:readline')
    for await (const line of createInterface({ input: answer })) {
      const { id = '', status = '', error } = JSON.parse(line) as Progress
      if (error !== undefined) throw cannotPull(image, error)
      // One line for each thing that happens to a layer, not one for each piece of it.
      if (heard.get(id) !== status) say(id === '' ? `${status}\n` : `${id}: ${status}\n`)
      heard.set(id, status)
    }
  } catch (error) {
    if (error instanceof EngineRefusal) throw cannotPull(image, error.message)
    throw error
  }
}

/** In the alphabet for addresses, but filled up: engines take what is not for no credentials at all. */
const headerOf = (words: object) =>
  Buffer.from(JSON.stringify(words)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')

/** Words by which registries say that they have no such image, or not for us: trying again elsewhere would not help. */
const final =
  /not found|manifest unknown|denied|unauthorized|no basic auth|incorrect username|invalid reference|requires authentication/i

/** Those of them that speak of who asks, and not of the image. */
const refused = /denied|unauthorized|no basic auth|incorrect username|requires authentication/i

const cannotPull = (image: string, said: string) =>
  new Unready(`Error pulling image ${image}: ${said}`, final.test(said) ? 'job' : 'agent')

const isTagged = (image: string) => image.includes('@') || /:[^/]+$/.test(image)

const nameOf = (name: string, image: Image) => `${name} (${image.RepoDigests?.[0]?.split('@')[1] ?? image.Id})`
