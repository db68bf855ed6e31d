import { pause } from '#kit/backoff.ts'
import { createContainer, inspect, nameOf, serviceBody, startContainer, type Yard } from './containers.ts'
import type { Engine } from './engine.ts'
import type { Image, ImageSpec } from './images.ts'
import type { Limits } from './limits.ts'
import { listeningPorts } from './listening.ts'
import { lastWords } from './service-log.ts'

/** How long the first step waits for services at most. */
const mostWaitMs = 30_000

/** A service and its image. */
export interface Service {
  readonly spec: ImageSpec
  readonly image: Image
}

/** What starting services needs. */
export interface Hands {
  readonly engine: Engine
  readonly yard: Yard
  readonly job: string
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/** Starts the service containers of a job in the network of its primary container, which runs already. */
export async function startServices(
  { engine, yard, job, say, signal }: Hands,
  services: readonly Service[],
  size: { readonly limits: Limits | undefined; readonly engineCpus: number },
): Promise<void> {
  for (const [index, { spec }] of services.entries()) {
    say(`Starting container ${spec.image}\n`)
    const name = nameOf(job, index + 1)
    await createContainer(engine, name, serviceBody(yard, job, spec, size), signal)
    await startContainer(engine, name, signal)
  }
}

/**
 * Waits until the ports that images declare are listened on, for some time, and says which are not.
 * A service that ends by itself does not fail the job: what it last said is told.
 */
export async function awaitServices(hands: Hands, services: readonly Service[]): Promise<void> {
  const { engine, job, say, signal } = hands
  const pid = (await inspect(engine, nameOf(job), signal))?.State.Pid ?? 0
  const waiting = new Map(services.map(({ spec, image }, index) => [index + 1, { spec, ports: portsOf(image) }]))
  const end = performance.now() + mostWaitMs
  for (let round = 0; performance.now() < end; round++) {
    signal.throwIfAborted()
    const listening = listeningPorts(pid)
    for (const [index, { spec, ports }] of waiting) {
      if (listening && ports.every((port) => listening.has(port))) {
        waiting.delete(index)
        if (ports.length > 0) say(`Service ${spec.image} listens on ${ports.join(', ')}\n`)
      } else if (round % 10 === 9 && (await hasEnded(hands, index, spec))) waiting.delete(index)
    }
    if (!listening || waiting.size === 0) break
    await pause(Math.min(20 * (round + 1), 200), signal)
  }
  for (const { spec, ports } of waiting.values())
    say(`Service ${spec.image} does not listen on ${ports.join(', ')} yet: going on without waiting for it\n`)
}

async function hasEnded({ engine, job, say, signal }: Hands, index: number, spec: ImageSpec): Promise<boolean> {
  const found = await inspect(engine, nameOf(job, index), signal)
  if (found?.State.Running) return false
  say(`Service ${spec.image} has ended with code ${found?.State.ExitCode ?? 'unknown'}\n`)
  say(await lastWords(engine, nameOf(job, index), signal))
  return true
}

const portsOf = ({ Config }: Image): readonly number[] =>
  Object.keys(Config?.ExposedPorts ?? {})
    .filter((port) => !port.includes('/') || port.endsWith('/tcp'))
    .map((port) => Number.parseInt(port, 10))
    .toSorted((a, b) => a - b)
