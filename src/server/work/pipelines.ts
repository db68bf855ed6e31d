import type { PipelineId } from '#core/ids.ts'
import type { App } from '#server/app/app.ts'
import { pendingPipelineIds } from '#server/app/pending.ts'
import { abandonPipeline, processPipeline } from '#server/app/process-pipeline.ts'
import type { Loop } from './loop.ts'

/** Turns new pipelines into workflows, several at a time: one whose repository is slow keeps nobody waiting. */
export function pipelineLoop(app: App): Loop {
  const underway = new Map<string, Promise<void>>()
  const failures = new Map<string, number>()

  async function one(id: PipelineId): Promise<void> {
    try {
      await processPipeline(app.world, app.compile, id)
      failures.delete(id)
    } catch (error) {
      const count = (failures.get(id) ?? 0) + 1
      failures.set(id, count)
      app.world.log.error('A pipeline cannot be processed', {
        pipeline: id,
        count,
        error: error instanceof Error ? error.stack : String(error),
      })
      if (count >= 3) await abandonPipeline(app.world, id, 'Internal server error while the pipeline was being created')
    } finally {
      underway.delete(id)
    }
  }

  return {
    name: 'pipelines',
    topics: ['pipelines'],
    everyMs: 2_000,
    async turn() {
      const fresh = (await pendingPipelineIds(app, 64)).filter((id) => !underway.has(id))
      for (const id of fresh) underway.set(id, one(id as PipelineId))
      if (fresh.length === 0) return false
      await Promise.race(underway.values())
      return true
    },
  }
}
