import { pipelinesByIds, type PipelineGlance } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from './app.ts'
import { pipelineFacts, type PipelineFacts } from './find.ts'
import { remember } from './remember.ts'

/** A pipeline as it is written into an answer, and as of when. */
interface Written {
  readonly state: string
  readonly updatedAt: string
  readonly text: string
}

/**
 * The texts of pipelines, made once for each state of one: a list of twenty is read again and again, and making it
 * costs several times what finding out takes that nothing has changed.
 */
export function pipelineTexts(app: App, write: (facts: PipelineFacts) => string) {
  const known = remember<string, Written>(5_000)

  const textOf = (glance: PipelineGlance): string | undefined => {
    const found = known.get(glance.id)
    return found?.state === glance.state && found.updatedAt === glance.updated_at ? found.text : undefined
  }

  async function make(project: ProjectRow, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await pipelinesByIds(app.world.db, ids)
    const made = await Promise.all(
      rows.map(async (row) => {
        const facts = await pipelineFacts(app, project, row)
        const text = write(facts)
        // Of a commit that could not be read more may be known the next time.
        if (facts.revision) known.set(row.id, { state: row.state, updatedAt: row.updated_at, text })
        return [row.id, text] as const
      }),
    )
    return new Map(made)
  }

  /** The texts of some pipelines, in their order. */
  async function textsOf(glances: readonly PipelineGlance[], projectOf: ProjectOf): Promise<readonly string[]> {
    const texts = new Map<string, string>()
    const missing = new Map<string, string[]>()
    for (const glance of glances) {
      const text = textOf(glance)
      if (text !== undefined) texts.set(glance.id, text)
      else missing.set(glance.project_id, [...(missing.get(glance.project_id) ?? []), glance.id])
    }
    for (const [id, ids] of missing) {
      const project = projectOf(id)
      if (project) for (const [pipeline, text] of await make(project, ids)) texts.set(pipeline, text)
    }
    return glances.flatMap(({ id }) => texts.get(id) ?? [])
  }

  const pages = remember<string, Buffer>(500)

  /**
   * A page as text. `key` must change whenever a pipeline is added to the list: then a page of pipelines that have come
   * to their end, and of which all is known, is the same as before and is not looked for again.
   */
  return async function pageText(key: string, read: () => Promise<Page>): Promise<string | Buffer> {
    const before = pages.get(key)
    if (before !== undefined) return before
    const { items, next, projectOf } = await read()
    const texts = await textsOf(items, projectOf)
    const text = `{"items":[${texts.join(',')}],"next_page_token":${JSON.stringify(next)}}`
    const isSettled = items.every((glance) => hasEnded(glance) && textOf(glance) !== undefined)
    return isSettled ? pages.set(key, Buffer.from(text)) : text
  }
}

/** What became of a pipeline stays: these are the ends (`core/pipeline.ts`). */
const hasEnded = ({ state }: PipelineGlance): boolean => state === 'created' || state === 'errored'

type ProjectOf = (id: string) => ProjectRow | undefined

interface Page {
  readonly items: readonly PipelineGlance[]
  readonly next: string | null
  readonly projectOf: ProjectOf
}
