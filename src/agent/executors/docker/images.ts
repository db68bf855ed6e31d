import type { JobSpec } from '#contract/agent.ts'
import { Unready } from '#agent/executors/executor.ts'
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

/** Makes sure that the engine has an image, and says how it goes as far as somebody would want to know. */
export async function ensureImage(
  engine: Engine,
  spec: ImageSpec,
  policy: PullPolicy,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<Image> {
  if (spec.without_auth !== undefined) say(`  without the credentials of ${spec.image}: ${spec.without_auth}\n`)
  const here = await findImage(engine, spec.image, signal)
  const isOpen = policy === 'only-missing' || (policy === 'missing' && spec.auth === undefined)
  if (here && (policy === 'never' || isOpen)) {
    say(`  image is cached as ${nameOf(spec.image, here)}\n`)
    return here
  }
  if (policy === 'never')
    throw new Unready(`Cannot use image ${spec.image}: this agent pulls none and does not have it`, 'agent')
  if (!here) say(`  image cache not found on this host, downloading ${spec.image}\n`)
  await pull(engine, spec, say, signal)
  const pulled = await findImage(engine, spec.image, signal)
  if (!pulled) throw new Unready(`Cannot use image ${spec.image}: it is not there after it was pulled`, 'agent')
  say(`  using image ${nameOf(spec.image, pulled)}\n`)
  return pulled
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
  { image, auth }: ImageSpec,
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

const cannotPull = (image: string, said: string) =>
  new Unready(`Error pulling image ${image}: ${said}`, final.test(said) ? 'job' : 'agent')

const isTagged = (image: string) => image.includes('@') || /:[^/]+$/.test(image)

/** The registry that an image names with its first part, if that looks like a host. */
function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/')
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : 'https://index.docker.io/v1/'
}

const nameOf = (name: string, image: Image) => `${name} (${image.RepoDigests?.[0]?.split('@')[1] ?? image.Id})`
