import type { Selection } from '#config/select.ts'
import type { PipelineId, WorkflowId } from '#core/ids.ts'
import type { ParameterValue } from '#core/pipeline.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { keepText } from '#server/store/texts.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import { createContext, listContexts, removeContext, setContextVariable } from './contexts.ts'
import { abandonPipeline } from './process-pipeline.ts'
import { createPipeline, type PipelineOptions } from './trigger.ts'
import { listVariables, removeVariable, setVariable } from './variables.ts'
import { cancelWorkflow } from './workflows.ts'

/*
 * What a service that somebody runs for one checkout of theirs does beside what every service does.
 */

/** What is to run of a folder: a commit that lies in the project's repository, and a configuration that need not be in it. */
export interface LocalRun {
  readonly revision: string
  readonly branch: string | undefined
  readonly tag: string | undefined
  readonly source: string
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** A part of the workflows, or one job whatever they say. */
  readonly part: { readonly only?: Selection; readonly job?: string }
}

/** Makes the pipeline of a run. */
export async function beginRun({ world }: App, user: User, project: ProjectRow, run: LocalRun): Promise<PipelineRow> {
  const row = await world.db.transaction().execute(async (tx) => {
    const options: PipelineOptions = { ...run.part, config: await keepText(tx, run.source) }
    return createPipeline(world, tx, project, {
      type: 'api',
      actor: user.id,
      revision: run.revision,
      branch: run.branch ?? null,
      tag: run.tag ?? null,
      parameters: run.parameters,
      options,
    })
  })
  world.bell.ring('pipelines')
  return row
}

type Variables = Readonly<Record<string, string>>

/** Makes these the only variables of the project and the only contexts of its organization; nothing takes all of them away. */
export async function replaceSecrets(
  app: App,
  user: User,
  project: ProjectRow,
  variables: Variables = {},
  contexts: Readonly<Record<string, Variables>> = {},
): Promise<void> {
  const { world } = app
  const organization = { id: project.organization_id }
  for (const { name } of await listVariables(world, project)) await removeVariable(world, project, name)
  // Each page is gone before the next is asked for.
  for (let page = await contextsOf(); page.length > 0; page = await contextsOf())
    for (const { id } of page) await removeContext(world, user, id)
  for (const [name, value] of Object.entries(variables)) await setVariable(world, project, name, value)
  for (const [context, own] of Object.entries(contexts)) {
    const { id } = await createContext(world, user, organization, context)
    for (const [name, value] of Object.entries(own)) await setContextVariable(world, user, id, name, value)
  }

  async function contextsOf() {
    return (await listContexts(app, user, organization, undefined)).items
  }
}

/** Cancels what an earlier run left behind that came to no end: whoever wanted it is gone. */
export async function cancelLeftovers({ world }: App): Promise<void> {
  const pipelines = await world.db
    .selectFrom('pipelines')
    .select('id')
    .where('state', 'in', ['pending', 'setup-pending'])
    .execute()
  for (const { id } of pipelines) await abandonPipeline(world, id as PipelineId, 'The run was ended before it began')
  const workflows = await world.db.selectFrom('workflows').select('id').where('stopped_at', 'is', null).execute()
  for (const { id } of workflows) await cancelWorkflow(world, undefined, id as WorkflowId)
}
