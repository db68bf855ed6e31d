import { heldPipelines } from '#server/store/held-pipelines.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { pullOf, type PullRow } from '#server/store/pulls.ts'
import type { App } from './app.ts'
import { pageOf } from './lists.ts'
import type { PageOf } from './page-of.ts'
import type { PipelineOptions } from './trigger.ts'

/** A commit of a fork that waits for approval, with the pull request it came in. */
export interface WaitingFork {
  readonly pipeline: PipelineRow
  /** The first line of what the commit says of itself; empty where it cannot be read. */
  readonly subject: string
  readonly asked: NonNullable<PipelineOptions['pull']>
  /** What the provider last told of it. */
  readonly pull: PullRow | undefined
}

/** The pipelines of a project that wait for approval of the commit of a fork, newest first. */
export async function waitingForks(
  app: App,
  project: ProjectRow,
  token: string | undefined,
): Promise<PageOf<WaitingFork>> {
  // Greater than every id: the first page begins at the newest.
  const { items, next } = await pageOf(app, `waiting-forks:${project.id}`, token, (after, most) =>
    heldPipelines(app.world.db, { project: project.id, before: after === '' ? 'g' : after, most }),
  )
  return { items: await Promise.all(items.map((pipeline) => complete(app, project, pipeline))), next }
}

async function complete(app: App, project: ProjectRow, pipeline: PipelineRow): Promise<WaitingFork> {
  const { pull: asked } = JSON.parse(pipeline.options) as PipelineOptions
  if (!asked) throw new Error(`Cannot show pipeline ${pipeline.id}: it waits for approval, but not in a pull request`)
  const [revision, pull] = await Promise.all([
    app.findRevision(project, pipeline.revision).catch(() => undefined),
    pullOf(app.world.db, { project: project.id, number: asked.number }),
  ])
  return { pipeline, subject: revision?.commit.subject ?? '', asked, pull }
}
