import type { PipelineRow } from '#server/store/pipelines.ts'
import { textOf } from '#server/store/texts.ts'
import type { App } from './app.ts'

/** The configuration of a pipeline as it was written and as it was compiled; empty where there is none. */
export async function configOf({ world }: App, pipeline: PipelineRow): Promise<{ readonly source: string; readonly compiled: string }> {
  const read = async (hash: string | null) => (hash === null ? '' : textOf(world.db, hash))
  return { source: await read(pipeline.config_hash), compiled: await read(pipeline.compiled_hash) }
}
