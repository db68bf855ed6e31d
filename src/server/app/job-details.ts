import { variablePrefixes } from '#core/names.ts'
import type { JobBody } from '#core/plan.ts'
import { numberBefore } from '#server/store/build-past.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import { userById } from '#server/store/people.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { Db } from '#server/store/schema.ts'
import { contextsNamed, contextVariables } from '#server/store/contexts.ts'
import { variablesOf } from '#server/store/secrets.ts'
import { textOf } from '#server/store/texts.ts'
import { type JobRow, rootOf } from '#server/store/workflows.ts'
import { hostedUrl } from './addresses.ts'
import { limitsOf } from '#server/store/limits.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import type { Claimed } from './assignments.ts'
import { checkoutToken } from './checkout-token.ts'
import { continuationKey } from './continue-pipeline.ts'
import { builtInVariables } from './job-environment.ts'
import { identityVariables, longIdentity } from './job-identity.ts'
import { isOnlyInFork } from './commits-for-jobs.ts'
import { isOpenedByToken, privateKeyOf } from './repository-access.ts'
import { remember } from './remember.ts'
import { type JobSshKey, openSshKeys } from './ssh-keys.ts'
import type { StorageTerms } from './storage-terms.ts'
import type { PipelineOptions } from './trigger.ts'
import { rightsOf } from './trust.ts'
import type { World } from './world.ts'

export type { LeaseRow }

/** Everything an agent must be told about a job that it has taken. */
export interface Assignment extends Claimed {
  readonly body: JobBody
  readonly environment: Readonly<Record<string, string>>
  /** What tells others who the job is; nothing for code that may see no secrets. */
  readonly identity: string | undefined
  readonly secrets: readonly string[]
  /** Whether it may leave caches to others. */
  readonly savesCaches: boolean
  readonly storage: StorageTerms
  readonly timeLimitMs: number
  readonly checkout: {
    readonly url: string
    /** Where it can be read with the token of the job, and by its steps with a credential, if it opens to nobody at `url`. */
    readonly through: { readonly url: string; readonly credential: string } | null
    readonly revision: string
    readonly branch: string | null
    readonly tag: string | null
    readonly withJobToken: boolean
    readonly privateKey: string | null
    /** What opens the repository for its steps, over HTTP. */
    readonly credential: string | null
  }
  /** Keys for other hosts, where a step asks for them. */
  readonly sshKeys: readonly JobSshKey[]
}

/** Reads the compiled bodies of jobs; the same body belongs to every run of the same configuration. */
export function jobBodies(db: Db) {
  const known = remember<string, JobBody>(1_000)
  return async function bodyOf(job: Pick<JobRow, 'id' | 'body_hash'>): Promise<JobBody> {
    if (job.body_hash === null) throw new Error(`Cannot run job ${job.id}: it has no body`)
    return known.get(job.body_hash) ?? known.set(job.body_hash, JSON.parse(await textOf(db, job.body_hash)) as JobBody)
  }
}

export type JobBodies = ReturnType<typeof jobBodies>

/** Completes a claimed job: body, environment, secrets, where the code is. */
export async function assignmentOf(world: World, bodyOf: JobBodies, claimed: Claimed): Promise<Assignment> {
  const { job, node } = claimed
  const [body, pipeline, project] = await Promise.all([
    bodyOf(job),
    pipelineById(world.db, { id: job.pipeline_id }),
    projectById(world.db, { id: job.project_id }),
  ])
  if (!pipeline || !project) throw new Error(`Cannot run job ${job.id}: its pipeline or project is gone`)
  const actor = pipeline.actor_id === null ? undefined : (await userById(world.db, { id: pipeline.actor_id }))?.login
  const rights = rightsOf(pipeline)
  const sealed = {
    ...(rights.secrets && (await sealedVariables(world, project, job))),
    ...bothNames(await continuationKey(world, job.workflow_id)),
  }
  const options = JSON.parse(pipeline.options) as PipelineOptions
  const root = (await rootOf(world.db, { id: job.workflow_id }))?.root_id ?? job.workflow_id
  const previous = await previousNumber(world, job)
  const identity = await identityVariables(world, { project, pipeline, job })
  return {
    ...claimed,
    body,
    // Later wins: project, contexts in their order, built-in, what the trigger gave, what the configuration says.
    environment: {
      ...sealed,
      ...builtInVariables(world, { project, pipeline, job, node, body, actor, root, previous }),
      ...identity,
      ...options.buildParameters,
      ...Object.fromEntries(body.environment),
    },
    identity: identity[longIdentity],
    secrets: [...Object.values(sealed), ...new Set(Object.values(identity))],
    savesCaches: rights.savesCaches,
    storage: world.terms.storage,
    timeLimitMs: await timeLimit(world, project),
    checkout: await checkoutOf(world, project, pipeline, claimed),
    sshKeys:
      rights.keys && body.steps.some(({ type }) => type === 'add_ssh_keys') ? await openSshKeys(world, project) : [],
  }
}

/** The shortest that anybody has set for it. */
async function timeLimit({ db, terms }: World, project: ProjectRow): Promise<number> {
  const limits = await limitsOf(db, { project: project.id })
  return Math.min(terms.jobTimeLimitMs, ...limits.map((limit) => (limit.most_minutes ?? Infinity) * 60_000))
}

async function previousNumber({ db }: World, { project_id, branch, number }: JobRow): Promise<number | undefined> {
  if (branch === null || number === null) return undefined
  return (await numberBefore(db, { project: project_id, branch, number }))?.number ?? undefined
}

/** What a job of a setup goes on with, under both prefixes. */
function bothNames(key: string | undefined): Record<string, string> {
  return key === undefined
    ? {}
    : Object.fromEntries(variablePrefixes.map((prefix) => [`${prefix}CONTINUATION_KEY`, key]))
}

async function checkoutOf(
  world: World,
  project: ProjectRow,
  pipeline: PipelineRow,
  { job, node, fence }: Claimed,
): Promise<Assignment['checkout']> {
  const { revision, branch, tag } = pipeline
  const what = { revision, branch, tag }
  const mayHaveKey = project.url !== null && rightsOf(pipeline).keys
  const privateKey = mayHaveKey ? ((await privateKeyOf(world, project)) ?? null) : null
  const here = () => ({
    url: hostedUrl(world, project),
    credential: checkoutToken(world.seal, { job_id: job.id, node, fence }),
  })
  // What may have no key reads through us, as does what the project's own repository does not have.
  if (project.url === null || !mayHaveKey || isOnlyInFork(world, project, pipeline))
    return { ...what, ...here(), through: null, withJobToken: true, privateKey }
  const through = (await isOpenedByToken(world, project)) ? here() : null
  return { ...what, url: project.url, through, withJobToken: false, privateKey, credential: null }
}

async function sealedVariables(world: World, project: ProjectRow, job: JobRow): Promise<Record<string, string>> {
  const opened: Record<string, string> = {}
  for (const { name, value } of await variablesOf(world.db, { project: project.id }))
    opened[name] = world.seal.open(value)
  const wanted = JSON.parse(job.contexts) as string[]
  if (wanted.length === 0) return opened
  const contexts = await contextsNamed(world.db, project.organization_id, wanted)
  for (const name of wanted) {
    const context = contexts.find((candidate) => candidate.name === name)
    // Deleted since the job was queued: it gives nothing, and whoever deleted it knew.
    if (!context) continue
    for (const variable of await contextVariables(world.db, context.id))
      opened[variable.name] = world.seal.open(variable.value)
  }
  return opened
}
