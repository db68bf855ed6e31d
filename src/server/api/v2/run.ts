import * as contract from '#contract/v2/run.ts'
import type { JobId, WorkflowId } from '#core/ids.ts'
import { skipsCi } from '#core/pipeline.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { findDefinition } from '#server/app/definitions.ts'
import { jobFor, pipelineFor } from '#server/app/find.ts'
import { keepConfig, sourceOf } from '#server/app/fire-triggers.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { pipelineValues } from '#server/app/pipeline-values.ts'
import { resolve } from '#server/app/trigger.ts'
import { triggerAtOnce } from '#server/app/trigger-at-once.ts'
import { cancelJob } from '#server/app/workflows.ts'
import type { Serving } from '#server/api/serve.ts'

interface Ref {
  readonly branch?: string
  readonly tag?: string
}

/** What newer clients of generation 2 call to run, look into and stop. */
export function serveRuns({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.runPipeline, async ({ caller, params, body, reply }) => {
    const project = await projectFor(world, caller, 'build', params)
    const definition = await findDefinition(world, project, body.definition_id ?? project.id)
    const [config, checkout] = [targetOf(body.config), targetOf(body.checkout)]
    // Who names only one of them means both.
    const target = isNamed(checkout) ? checkout : config
    const found = await resolve(world, project, target)
    const { commit } = await app.findRevision(project, found.revision)
    if (skipsCi(commit.subject, commit.body)) {
      // Told as it is meant by its clients: nothing went wrong, and there is no pipeline.
      return reply.code(200).send({ message: 'Pipeline not created: the commit asks not to be built.' })
    }
    const differs = isNamed(config) && (config.branch !== target.branch || config.tag !== target.tag)
    const source = await sourceOf(world, project, definition.id, differs ? config : {})
    const options = body.config?.content ? { config: await keepConfig(world, body.config.content) } : source.options
    const wanted = {
      ...source,
      type: 'api',
      actor: asUser(caller).id,
      parameters: body.parameters ?? {},
      options,
    } as const
    const pipeline = await triggerAtOnce(app, project, target, wanted)
    return { id: pipeline.id, state: 'pending' as const, number: pipeline.number, created_at: pipeline.created_at }
  })

  serve(contract.getPipelineValues, async ({ caller, params }) => {
    const { project, pipeline, revision } = await pipelineFor(app, caller, 'read', params.pipeline_id)
    const values = Object.entries(pipelineValues(world, project, pipeline, revision?.commit))
    return Object.fromEntries(
      values.flatMap(([name, value]) => (value === undefined ? [] : [[`pipeline.${name}`, String(value)]])),
    )
  })

  serve(contract.cancelJobById, async ({ caller, params }) => {
    const { job } = await jobFor(app, caller, 'build', params.job_id)
    await cancelJob(world, asUser(caller).id, job.workflow_id as WorkflowId, job.id as JobId)
    return { message: 'Job canceled successfully.' }
  })
}

const isNamed = (ref: Ref) => ref.branch !== undefined || ref.tag !== undefined

function targetOf({ branch = '', tag = '' }: Ref = {}): Ref {
  if (branch !== '' && tag !== '')
    throw new Refusal('invalid', 'Cannot run a pipeline as branch and tag exclude each other: both were given')
  return { ...(branch !== '' && { branch }), ...(tag !== '' && { tag }) }
}
