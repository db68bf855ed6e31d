import { isTerminal } from '#core/workflow-status.ts'
import type { WorkflowStatus } from '#core/workflow-status.ts'
import { pipelineById, type PipelineRow, workflowsOf } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { WorkflowRow } from '#server/store/workflows.ts'
import { pipelineUrl, workflowUrl } from './addresses.ts'
import type { App } from './app.ts'

/** A pusher who waits longer than this is told to look at the page. */
const longestMs = 60 * 60_000
/** How often a waiting connection shows that it lives. */
const pulseMs = 5_000
const mostTold = 10

/** Why a pusher is told no more: they went away, or the server does. */
export interface Ends {
  readonly gone: AbortSignal
  readonly stopping: AbortSignal
}

/** What there is to tell: the pipelines of the push, and those of earlier ones whose sender was not told how they end. */
export interface Told {
  readonly pipelines: readonly PipelineRow[]
  readonly earlier: readonly PipelineRow[]
}

const nameOf = ({ branch, tag, revision }: PipelineRow): string => branch ?? tag ?? revision

async function endSoFar({ world }: App, row: PipelineRow): Promise<readonly string[] | undefined> {
  const pipeline = (await pipelineById(world.db, { id: row.id })) ?? row
  return resultOf(pipeline, await workflowsOf(world.db, { pipeline: row.id }))
}

/** What a pusher is told: where the pipelines are, and, to one who waits, how they end. */
export async function* pushReport(
  app: App,
  project: ProjectRow,
  { pipelines, earlier }: Told,
  waits: boolean,
  { gone, stopping }: Ends,
): AsyncGenerator<string> {
  const { world } = app
  const open: PipelineRow[] = []
  for (const row of earlier.slice(-mostTold)) {
    const end = await endSoFar(app, row)
    if (end === undefined) open.push(row)
    const words = end?.[0] ?? 'goes on'
    yield `Pipeline ${row.number} of ${nameOf(row)}, of an earlier push: ${words} ${pipelineUrl(world, project, row.number)}`
  }
  for (const row of pipelines.slice(0, mostTold))
    yield `Pipeline ${row.number} of ${nameOf(row)}: ${pipelineUrl(world, project, row.number)}`
  if (pipelines.length > mostTold) yield `And ${pipelines.length - mostTold} more pipelines`
  const waitedFor = [...open, ...pipelines]
  if (!waits || waitedFor.length === 0) return
  const over = AbortSignal.any([gone, stopping, AbortSignal.timeout(longestMs)])
  for (const row of waitedFor) yield* endOf(app, project, row, over)
  if (!over.aborted || gone.aborted) return
  // An answer that breaks off would look as if the push had failed.
  yield stopping.aborted
    ? 'The server is being stopped, and the pipeline goes on: look at its page for how it ends'
    : 'This takes long: look at the pipeline for how it ends'
}

async function* endOf(
  { world }: App,
  project: ProjectRow,
  row: PipelineRow,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const told = new Map<string, string>()
  let rung = false
  let wake = () => {}
  const quiet = world.bell.listen(`pipeline:${row.id}`, () => {
    rung = true
    wake()
  })
  const stop = () => wake()
  signal.addEventListener('abort', stop)
  try {
    while (!signal.aborted) {
      rung = false
      const pipeline = (await pipelineById(world.db, { id: row.id })) ?? row
      const workflows = await workflowsOf(world.db, { pipeline: row.id })
      for (const workflow of workflows) {
        if (told.get(workflow.id) === workflow.status || !isWorthTelling(workflow)) continue
        told.set(workflow.id, workflow.status)
        yield `${workflow.name}: ${workflow.status} ${workflowUrl(world, project, row.number, workflow.id)}`
      }
      const result = resultOf(pipeline, workflows)
      if (result !== undefined) {
        yield* result.map((line) => `Pipeline ${row.number}: ${line}`)
        return
      }
      if (rung) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pulseMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      if (!rung) yield ''
    }
  } finally {
    signal.removeEventListener('abort', stop)
    quiet()
  }
}

const isWorthTelling = ({ status }: WorkflowRow): boolean =>
  status === 'on_hold' || isTerminal(status as WorkflowStatus)

/** How a pipeline ended; nothing while it goes on, or will when its setup is over. */
function resultOf(pipeline: PipelineRow, workflows: readonly WorkflowRow[]): readonly string[] | undefined {
  if (pipeline.state === 'errored') {
    const errors = JSON.parse(pipeline.errors) as readonly { readonly message: string }[]
    return ['errored', ...errors.flatMap(({ message }) => message.split('\n')).slice(0, 20)]
  }
  if (workflows.some(({ stopped_at }) => stopped_at === null)) return undefined
  const bad = workflows.find(({ status }) => status !== 'success' && status !== 'not_run')
  if (bad) return pipeline.state === 'created' || pipeline.state === 'setup' ? [bad.status] : undefined
  if (pipeline.state !== 'created') return undefined
  return [workflows.length === 0 ? 'nothing to run' : 'success']
}
