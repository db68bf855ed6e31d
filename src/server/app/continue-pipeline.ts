import { declaredDefaults } from '#config/pipeline/declared.ts'
import type { PipelineId, ProjectId, UserId } from '#core/ids.ts'
import {
  decidePipeline,
  type ParameterValue,
  type Pipeline,
  type PipelineState,
  type TriggerType,
} from '#core/pipeline.ts'
import type { Instant } from '#kit/brand.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import {
  continuationByKey,
  continueRow,
  insertContinuation,
  keyOfWorkflow,
  markContinued,
} from '#server/store/continuations.ts'
import { lockPipeline, type PipelineRow } from '#server/store/pipelines.ts'
import type { Tx } from '#server/store/schema.ts'
import { keepText, textOf } from '#server/store/texts.ts'
import { hashToken, newToken } from './seal.ts'
import type { World } from './world.ts'

type Given = Readonly<Record<string, ParameterValue>>

/** Begins the setup phase of a pipeline: makes the key with which one of its jobs may go on, once. */
export async function beginSetup(
  world: World,
  tx: Tx,
  pipeline: string,
  hashes: { readonly setup: string; readonly compiled: string },
): Promise<void> {
  const key = newToken('continuation')
  await insertContinuation(tx, {
    pipeline_id: pipeline,
    key_hash: hashToken(key),
    key: world.seal.close(key),
    setup_hash: hashes.setup,
    compiled_hash: hashes.compiled,
    created_at: world.now(),
    continued_at: null,
  })
}

/** The key for the jobs of a workflow, if that is the workflow of a setup; it stays theirs when it works no longer. */
export async function continuationKey(world: World, workflow: string): Promise<string | undefined> {
  const row = await keyOfWorkflow(world.db, { workflow })
  return row && world.seal.open(row.key)
}

/** Goes on with a pipeline whose setup has found its configuration (§4.4). Whoever holds the key may, once. */
export async function continuePipeline(
  world: World,
  key: string,
  configuration: string,
  parameters: Given,
): Promise<void> {
  // No YAML has one, and not every database takes it.
  if (configuration.includes('\0'))
    throw new Refusal('invalid', 'Cannot continue with a configuration that contains a null character')
  const { pipeline_id: id } = orNotFound(
    await continuationByKey(world.db, { hash: hashToken(key) }),
    'Continuation key',
  )
  const row = await world.db.transaction().execute(async (tx) => {
    const locked = orNotFound(await lockPipeline(tx, { id }), 'Pipeline')
    const at = world.now()
    const { state } = decidePipeline(toPipeline(locked), { type: 'continue' }, at)
    const merged = await withForwarded(tx, locked, configuration, parameters)
    const hash = await keepText(tx, configuration)
    await continueRow(tx, { id, state, config_hash: hash, parameters: JSON.stringify(merged), updated_at: at })
    await markContinued(tx, { pipeline: id, at })
    return locked
  })
  world.bell.ring('pipelines')
  world.bell.ring(`pipeline:${id}`)
  world.bell.ring(`project:${row.project_id}`)
}

/** What was given at the trigger goes on; what both give is refused, unless the trigger only repeated the default. */
async function withForwarded(tx: Tx, pipeline: PipelineRow, configuration: string, sent: Given): Promise<Given> {
  const given = JSON.parse(pipeline.parameters) as Given
  const both = Object.keys(sent).filter((name) => Object.hasOwn(given, name))
  if (both.length === 0) return { ...given, ...sent }
  const setup = pipeline.config_hash === null ? '' : await textOf(tx, pipeline.config_hash)
  const [before, after] = [declaredDefaults(setup), declaredDefaults(configuration)]
  if (both.some((name) => after.has(name) && before.get(name) !== given[name])) {
    throw new Refusal('invalid', 'Conflicting pipeline parameters.')
  }
  return { ...given, ...sent }
}

function toPipeline(row: PipelineRow): Pipeline {
  return {
    id: row.id as PipelineId,
    project: row.project_id as ProjectId,
    number: row.number,
    state: row.state as PipelineState,
    errors: [],
    trigger: {
      type: row.trigger_type as TriggerType,
      receivedAt: row.received_at as Instant,
      actor: row.actor_id as UserId,
    },
    target: { revision: row.revision },
    parameters: {},
    createdAt: row.created_at as Instant,
    updatedAt: row.updated_at as Instant,
  }
}
