import type { JobSpec } from '#contract/agent.ts'
import { statSync } from 'node:fs'
import { inside, wantsEngine } from './containers.ts'
import { targetOf } from './engine.ts'
import type { Dock } from './dock.ts'

/** What the primary container must be made with, so that a later step can give it an engine. */
export function remoteOf(
  { engine, remoteDocker }: Dock,
  spec: JobSpec,
): { readonly mounts?: readonly object[]; readonly groups?: readonly string[] } {
  if (remoteDocker.type !== 'engine' || !wantsEngine(spec)) return {}
  const { socketPath } = targetOf(engine.address)
  if (typeof socketPath !== 'string') return {}
  return {
    mounts: [{ Type: 'bind', Source: socketPath, Target: inside.engine }],
    // The socket belongs to a group that the user of the image is not in.
    groups: [String(statSync(socketPath).gid)],
  }
}
