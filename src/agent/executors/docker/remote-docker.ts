import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { JobSpec } from '#contract/agent.ts'
import { pause } from '#kit/backoff.ts'
import { assertNever } from '#kit/brand.ts'
import { Unready } from '#agent/executors/executor.ts'
import { createContainer, inside, inspect, labels, nameOf, startContainer, wantsEngine } from './containers.ts'
import type { Dock } from './dock.ts'
import { targetOf } from './engine.ts'
import { ensureImage } from './images.ts'
import { listeningPorts } from './listening.ts'
import { makeSocketFolder, startOwnEngine } from './own-engine.ts'

const port = 2375
/** An engine takes some seconds to start. */
const mostWaitMs = 60_000

/** What the primary container must be made with, so that a later step can give it an engine. */
export function remoteOf(
  { engine, remoteDocker }: Dock,
  folder: string,
  spec: JobSpec,
): { readonly mounts?: readonly object[]; readonly groups?: readonly string[] } {
  if (!wantsEngine(spec)) return {}
  if (remoteDocker.type === 'command')
    return { mounts: [{ Type: 'bind', Source: makeSocketFolder(folder), Target: inside.ownEngine, ReadOnly: true }] }
  if (remoteDocker.type !== 'engine') return {}
  const { socketPath } = targetOf(engine.address)
  if (typeof socketPath !== 'string') return {}
  return {
    mounts: [{ Type: 'bind', Source: socketPath, Target: inside.engine }],
    // The socket belongs to a group that the user of the image is not in.
    groups: [String(statSync(socketPath).gid)],
  }
}

/** Gives the steps of a job an engine, and says by which address they reach it. */
export async function giveEngine(
  dock: Dock,
  folder: string,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const { engine, remoteDocker } = dock
  switch (remoteDocker.type) {
    case 'none':
      throw new Unready(
        'Cannot set up a docker engine: the operator of this agent has not allowed it (--remote-docker)',
        'job',
      )
    case 'engine': {
      const { socketPath } = targetOf(engine.address)
      if (typeof socketPath !== 'string')
        throw new Unready('Cannot lend the docker engine: it is not a socket file', 'agent')
      say('Using the docker engine of the agent\n')
      return `unix://${inside.engine}`
    }
    case 'command':
      await startOwnEngine(folder, remoteDocker.command, say, signal)
      return `unix://${inside.ownEngine}/docker.sock`
    case 'image':
      await startSidecar(dock, basename(folder), remoteDocker.image, say, signal)
      return `tcp://127.0.0.1:${port}`
    default:
      return assertNever(remoteDocker)
  }
}

/** An engine of the job's own, in a container beside it: it ends with the job, and so does all that was built in it. */
async function startSidecar(
  dock: Dock,
  job: string,
  image: string,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { engine, yard } = dock
  say(`Starting a docker engine from ${image}\n`)
  await ensureImage(dock, { image, environment: {} }, { job, say, signal })
  const name = nameOf(job, 'docker')
  const body = {
    Image: image,
    Labels: { [labels.agent]: yard.mark, [labels.job]: job },
    // Only the containers of this job share its network, so there is nobody to hide from.
    Env: ['DOCKER_TLS_CERTDIR='],
    Cmd: ['dockerd', `--host=tcp://127.0.0.1:${port}`, '--tls=false'],
    HostConfig: {
      Privileged: true,
      NetworkMode: `container:${nameOf(job)}`,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
    },
  }
  await createContainer(engine, name, body, signal)
  await startContainer(engine, name, signal)
  const end = performance.now() + mostWaitMs
  while (performance.now() < end) {
    signal.throwIfAborted()
    const found = await inspect(engine, name, signal)
    if (!found?.State.Running) throw new Unready(`The docker engine of ${image} has ended by itself`, 'agent')
    const listening = listeningPorts(found.State.Pid)
    if (!listening || listening.has(port)) return say('The docker engine is ready\n')
    await pause(100, signal)
  }
  throw new Unready(`The docker engine of ${image} was not ready in time`, 'agent')
}
