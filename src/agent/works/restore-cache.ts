import { limitsOf } from '#agent/archive/limits.ts'
import { unpackArchive } from '#agent/archive/unpack.ts'
import { repeat } from '#agent/storage.ts'
import { Refused } from '#agent/wire.ts'
import type { StepSpec } from '#contract/agent.ts'
import { keyOf } from './cache-key.ts'
import { rootOf } from './cache-paths.ts'
import { bytesText } from './words.ts'
import type { Work } from './work.ts'

type Step = Extract<StepSpec, { type: 'restore_cache' }>

/** Restores the newest cache that the first of the keys finds; one that is not there fails nothing (A6). */
export const restoreCache: Work<Step> = async ({ place, job, step, say, signal, server }) => {
  if (step.keys.length === 0) say('This run does without caches\n')
  for (const [i, template] of step.keys.entries()) {
    const key = await keyOf(template, { place, job })
    const more = i < step.keys.length - 1
    const { cache } = await repeat(() => server.storage.findCache([key], false, signal, more), signal, say)
    if (!cache) {
      say(`No cache is found for key: ${key}\n`)
      continue
    }
    const from = cache.job_number === null ? '' : ` from build ${cache.job_number}`
    say(`Found a cache${from} at ${cache.key}\nSize: ${bytesText(cache.size)}\nDownloading and unarchiving cache...\n`)
    try {
      const archive = server.storage.readCache(cache.id, signal)
      const how = { files: place.files, limits: limitsOf(job), rootOf: (label?: string) => rootOf(place, label) }
      const guard = await unpackArchive(archive, how)
      say(`Restored ${guard.entries()} files and folders, ${bytesText(guard.bytes())}\n`)
      return 'success'
    } catch (error) {
      // Somebody cleared the caches just now: as good as none.
      if (!(error instanceof Refused) || error.status !== 404) throw error
      say(`No cache is found for key: ${key}: it was cleared just now\n`)
    }
  }
  return 'success'
}
