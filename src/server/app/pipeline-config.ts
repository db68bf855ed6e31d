import { withOriginal } from '#config/annotate.ts'
import { continuationOf } from '#server/store/continuations.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import { textOf } from '#server/store/texts.ts'
import type { App } from './app.ts'

/** A configuration as it was written and as it was compiled; empty where there is none. */
export interface Texts {
  readonly source: string
  readonly compiled: string
}

/** The configuration of a pipeline, and that of its setup phase if it had one. */
export async function configOf(
  app: App,
  pipeline: PipelineRow,
): Promise<Texts & { readonly setup: Texts | undefined }> {
  const setup = await continuationOf(app.world.db, { pipeline: pipeline.id })
  return {
    ...(await textsOf(app, pipeline.config_hash, pipeline.compiled_hash)),
    setup: setup && (await textsOf(app, setup.setup_hash, setup.compiled_hash)),
  }
}

async function textsOf({ world }: App, written: string | null, compiled: string | null): Promise<Texts> {
  const read = async (hash: string | null) => (hash === null ? '' : textOf(world.db, hash))
  const [source, text] = [await read(written), await read(compiled)]
  return { source, compiled: text === '' ? '' : withOriginal(text, source) }
}
