import type { Selection } from '#config/select.ts'
import type { PipelineId, UserId } from '#core/ids.ts'
import type { ParameterValue, TriggerType } from '#core/pipeline.ts'
import { checkName, formatRef } from '#core/refs.ts'
import type { Trust } from '#core/trust.ts'
import { Refusal } from '#kit/refusal.ts'
import { insertPipeline, nextPipelineNumber, type PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { openPullsOf } from '#server/store/pulls.ts'
import { refOf } from '#server/store/refs.ts'
import type { Tx } from '#server/store/schema.ts'
import { refresh } from './mirrors.ts'
import { checkOwnCommit } from './own-commits.ts'
import type { World } from './world.ts'

/** What a pipeline is wanted for. */
export interface Wanted {
  readonly type: TriggerType
  readonly actor: UserId | null
  readonly revision: string
  readonly branch: string | null
  readonly tag: string | null
  readonly parameters: Readonly<Record<string, ParameterValue>>
  readonly options: PipelineOptions
  /** What the branch pointed at before, of a push. */
  readonly baseRevision?: string | undefined
  /** Trusted unless told otherwise: everything but a pull request comes out of the project's own repository. */
  readonly trust?: Trust
  readonly needsApproval?: boolean
  /** The usual one unless told otherwise. */
  readonly definition?: string
}

/** The pull request that a pipeline builds. */
export interface PullOfPipeline {
  readonly number: number
  readonly url: string
  /** Who has the repository that it comes from, and what that is called. */
  readonly owner: string
  readonly repository: string
  readonly branch: string
  readonly baseBranch: string
}

/** What is asked of a pipeline beside its target. */
export interface PipelineOptions {
  /** Run this job alone, whatever the workflows say. */
  readonly job?: string
  /** Variables for the environment of that job. */
  readonly buildParameters?: Readonly<Record<string, string>>
  /** The schedule whose time has come. */
  readonly schedule?: { readonly id: string; readonly name: string }
  /** Run this workflow, whose own time has come, and no other. */
  readonly scheduled?: string
  /** The hash of the configuration that runs, instead of the one in the revision. */
  readonly config?: string
  /** Run this part of the configuration only; a setup runs whole, and what it makes is limited. */
  readonly only?: Selection
  readonly pull?: PullOfPipeline
  /** Its branch had moved on when it was made, so it takes the place of no other pipeline. */
  readonly passed?: true
  /** The open pull requests of its branch, when it was made. */
  readonly pulls?: readonly { readonly number: number; readonly url: string }[]
  /** Where the configuration lies, instead of where it usually does in the revision that is built. */
  readonly source?: { readonly path?: string; readonly revision?: string; readonly ref?: string }
  /** What came with the request that triggered it. */
  readonly webhook?: { readonly body: string }
}

/** A pipeline that nobody has kept yet. */
export function newPipelineRow(world: World, project: ProjectRow, wanted: Wanted, number: number): PipelineRow {
  const at = world.now()
  return {
    id: world.newId() as PipelineId,
    project_id: project.id,
    number,
    state: 'pending',
    errors: '[]',
    trigger_type: wanted.type,
    actor_id: wanted.actor,
    received_at: at,
    branch: wanted.branch,
    tag: wanted.tag,
    revision: wanted.revision,
    parameters: JSON.stringify(wanted.parameters),
    options: JSON.stringify(wanted.options),
    base_revision: wanted.baseRevision ?? null,
    config_hash: null,
    compiled_hash: null,
    created_at: at,
    updated_at: at,
    trust: wanted.trust ?? 'trusted',
    needs_approval: wanted.needsApproval === true ? 1 : 0,
    definition_id: wanted.definition ?? '',
  }
}

/** Writes a pipeline in the transaction that decides that there is one, pending unless `made` says otherwise. Whoever calls rings `pipelines` afterwards. */
export async function createPipeline(
  world: World,
  tx: Tx,
  project: ProjectRow,
  wanted: Wanted,
  made: Partial<PipelineRow> = {},
): Promise<PipelineRow> {
  const number = await nextPipelineNumber(tx, project.id)
  const pulls = await pullsOf(tx, project, wanted)
  const about = pulls.length === 0 ? wanted : { ...wanted, options: { ...wanted.options, pulls } }
  const row = { ...newPipelineRow(world, project, about, number), ...made }
  await insertPipeline(tx, row)
  return row
}

/** The built-in host has no pull requests. */
const pullsOf = async (tx: Tx, { id, url }: ProjectRow, { branch, options }: Wanted) =>
  url === null || branch === null || options.pull ? [] : openPullsOf(tx, { project: id, branch })

/** A branch or a tag, or neither for the default branch. */
export interface Target {
  readonly branch?: string | undefined
  readonly tag?: string | undefined
  readonly revision?: string | undefined
}

/** What a target means. */
type Found = Pick<Wanted, 'revision' | 'branch' | 'tag'>
/** Why and how a pipeline is made. */
type Reason = Pick<Wanted, 'type' | 'actor' | 'parameters' | 'options' | 'definition'>

/** Makes a pipeline for the head of a branch, a tag or a revision; it is durable when this resolves. */
export async function trigger(world: World, project: ProjectRow, target: Target, wanted: Reason): Promise<PipelineRow> {
  return triggerAt(world, project, await resolve(world, project, target), wanted)
}

/** The same for what was found already. */
export async function triggerAt(world: World, project: ProjectRow, found: Found, wanted: Reason): Promise<PipelineRow> {
  const row = await world.db.transaction().execute((tx) => createPipeline(world, tx, project, { ...wanted, ...found }))
  world.bell.ring('pipelines')
  world.bell.ring(`project:${project.id}`)
  return row
}

/** Finds the commit that a target means. A project with a repository of its own is asked first for news. */
export async function resolve(world: World, project: ProjectRow, target: Target): Promise<Found> {
  if (target.tag !== undefined && (target.branch !== undefined || target.revision !== undefined)) {
    throw new Refusal(
      'invalid',
      `Cannot trigger a pipeline on tag ${target.tag} as a tag excludes branch and revision: both were given`,
    )
  }
  const fetched = project.url === null ? undefined : await refresh(world, project)
  const headOf = async (ref: string) => (fetched ? fetched.get(ref) : refOf(world.db, project.id, ref))
  if (target.tag !== undefined) {
    const revision = await headOf(formatRef('tag', target.tag))
    if (revision === undefined) throw new Refusal('invalid', 'Tag not found')
    return { revision, branch: null, tag: target.tag }
  }
  const branch = target.branch ?? project.default_branch
  if (target.revision !== undefined) {
    const named = checkName('revision', target.revision)
    await checkOwnCommit(world, project, named)
    return { revision: named, branch, tag: null }
  }
  const revision = await headOf(formatRef('branch', branch))
  if (revision === undefined) throw new Refusal('invalid', 'Branch not found')
  return { revision, branch, tag: null }
}
