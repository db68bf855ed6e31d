import { limitsOf } from '#agent/archive/limits.ts'
import type { Entry } from '#agent/archive/tar-parts.ts'
import { unpackArchive } from '#agent/archive/unpack.ts'
import { directoryOf } from '#agent/environment.ts'
import { repeat } from '#agent/storage.ts'
import type { StepSpec } from '#contract/agent.ts'
import type { Layer } from '#contract/agent/workspace.ts'
import { shown } from '#agent/archive/guard.ts'
import { refusedAsFailed } from './refused.ts'
import { bytesText } from './words.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work } from './work.ts'

type Step = Extract<StepSpec, { type: 'attach_workspace' }>

/** Unpacks what the jobs before this one persisted, in the order of the graph: later layers win (B6). */
export const attachWorkspace: Work<Step> = async ({ place, job, step, say, signal, server }) => {
  const at = directoryOf(step.at, directoryOf(job.working_directory, place.home, place.home), place.home)
  const { layers } = await repeat(() => server.storage.listLayers(signal), signal, say).catch(refusedAsFailed)
  if (layers.length === 0) {
    say('There is nothing in the workspace: no job before this one persisted any files\n')
    return 'success'
  }
  say('Applying workspace layers\n')
  const admitTo = collisions(layers)
  for (const layer of layers) {
    const node = layer.node_index === 0 ? '' : `, node ${layer.node_index}`
    say(`  ${layer.job} - ${layer.job_name}${node}, ${bytesText(layer.size)}\n`)
    const archive = server.storage.readLayer(layer.id, signal)
    const admit = admitTo(layer)
    await unpackArchive(archive, {
      files: place.files,
      limits: limitsOf(job),
      rootOf: () => at,
      ...(admit && { admit }),
    })
  }
  return 'success'
}

/** Watches that no two jobs which ran side by side wrote the same file: which of them should win, nobody could say. */
function collisions(layers: readonly Layer[]): (layer: Layer) => ((entry: Entry) => void) | undefined {
  // Mostly each job comes after the one before it, and nothing can collide.
  if (layers.every(({ over }, index) => over.length === index)) return () => undefined
  const writers = new Map<string, Layer>()
  return (layer) => (entry) => {
    if (entry.type === 'folder') return
    const name = entry.name.replace(/^(\.\/+)+/, '')
    const before = writers.get(name)
    if (before && before !== layer && !layer.over.includes(before.id)) {
      throw new StepFailed(
        `Error applying workspace layer for job ${layer.job}: Concurrent upstream jobs persisted the same file(s)\n` +
          `  ${shown(name)} of ${before.job_name} and ${layer.job_name}`,
      )
    }
    writers.set(name, layer)
  }
}
