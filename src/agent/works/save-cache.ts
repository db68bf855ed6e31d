import { limitsOf } from '#agent/archive/limits.ts'
import { packBundles } from '#agent/archive/pack.ts'
import { repeat } from '#agent/storage.ts'
import type { StepSpec } from '#contract/agent.ts'
import { keyOf } from './cache-key.ts'
import { bundlesOf, cachePath } from './cache-paths.ts'
import { refusedAsFailed } from './refused.ts'
import { goTime } from './words.ts'
import type { Work } from './work.ts'

type Step = Extract<StepSpec, { type: 'save_cache' }>

/** Saves files under a key, unless there are some under it: a key is written once (A6). */
export const saveCache: Work<Step> = async ({ place, job, step, say, signal, server }) => {
  const key = await keyOf(step.key, { place, job })
  if (!job.storage.saves_caches) {
    say(
      `Skipping cache generation for key: ${key}\nThe code of this pipeline is not of the project itself: it may read caches and leaves none\n`,
    )
    return 'success'
  }
  const skip = (createdAt: string) => {
    say(`Skipping cache generation, cache already exists for key: ${key}\nFound one created at ${goTime(createdAt)}\n`)
    return 'success' as const
  }
  const { cache } = await repeat(() => server.storage.findCache([key], true, signal), signal, say)
  if (cache) return skip(cache.created_at)

  const paths = step.paths.map((path) => cachePath(path, job.working_directory, place.home))
  const { bundles, missing } = await bundlesOf(place, paths)
  for (const { absolute } of missing) say(`Warning: could not archive ${absolute} - Not found\n`)
  if (bundles.length === 0) {
    say(`Nothing was saved for key: ${key}\n`)
    return 'success'
  }
  say('Creating cache archive...\nUploading cache archive...\n')
  const { saved, created_at } = await repeat(
    () => {
      const { stream } = packBundles(place.files, bundles, limitsOf(job), say)
      return server.storage.saveCache(key, stream, signal)
    },
    signal,
    say,
  ).catch(refusedAsFailed)
  if (!saved) return skip(created_at)
  say(`Stored Cache to ${key}\n`)
  for (const path of paths) if (!missing.includes(path)) say(`  * ${path.absolute}\n`)
  return 'success'
}
