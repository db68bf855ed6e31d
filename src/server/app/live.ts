import { jobById } from '#server/store/jobs.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import { projectById } from '#server/store/projects.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import type { WorkflowId } from '#core/ids.ts'
import { slugOf } from './addresses.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import { may } from './permissions.ts'
import { remember } from './remember.ts'

const shown = /^(project|pipeline|workflow|job):(.+)$/

/** How long what was rung is gathered before it is told: a busy minute must not mean a thousand messages. */
const gatherMs = 100

/**
 * What changed that the user may see: topics, gathered for a moment, each once. Nothing (undefined) now and then, so that a dead
 * connection is noticed.
 */
export async function* visibleTopics(
  app: App,
  user: User,
  project: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<string | undefined> {
  const heard = new Set<string>()
  const allowed = remember<string, boolean>(1_000)
  let wake = () => {}
  const quiet = app.world.bell.listenToAll((topic) => {
    if (!shown.test(topic) || heard.size > 1_000) return
    heard.add(topic)
    wake()
  })
  try {
    while (!signal.aborted) {
      if (heard.size === 0) await waiting(15_000, signal, (rouse) => (wake = rouse))
      if (heard.size === 0) yield undefined
      else await waiting(gatherMs, signal, () => {})
      const topics = [...heard]
      heard.clear()
      for (const topic of topics) {
        if (!(allowed.get(topic) ?? allowed.set(topic, await maySee(app, user, topic, project)))) continue
        if (signal.aborted) return
        yield topic
      }
    }
  } finally {
    quiet()
  }
}

function waiting(ms: number, signal: AbortSignal, onWake: (rouse: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    onWake(done)
  })
}

async function maySee(app: App, user: User, topic: string, wanted: string | undefined): Promise<boolean> {
  const id = await projectOfTopic(app, topic)
  const project = id === undefined ? undefined : await projectById(app.world.db, { id })
  if (!project || (wanted !== undefined && slugOf(app.world, project) !== wanted && project.id !== wanted)) return false
  return may(app.world, user, 'read', project)
}

async function projectOfTopic({ world }: App, topic: string): Promise<string | undefined> {
  const [, kind = '', id = ''] = shown.exec(topic) ?? []
  switch (kind) {
    case 'project':
      return id
    case 'pipeline':
      return (await pipelineById(world.db, { id }))?.project_id
    case 'workflow':
      return (await findWorkflow(world.db, id as WorkflowId))?.row.project_id
    default:
      return (await jobById(world.db, { id }))?.project_id
  }
}
