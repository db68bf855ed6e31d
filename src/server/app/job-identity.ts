import { claimPrefixes, systemActor, variablePrefixes } from '#core/names.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { contextsNamed } from '#server/store/contexts.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { JobRow } from '#server/store/workflows.ts'
import { vcsUrl } from './addresses.ts'
import { type IdentityKey, identityKey } from './identity-key.ts'
import { claimsFor } from './identity-claims.ts'
import { rightsOf } from './trust.ts'
import type { World } from './world.ts'

/** Of a token, from when it is made, unless its project wants otherwise; whoever needs one for longer asks for another. */
const usualSeconds = 3600

type Wishes = Awaited<ReturnType<typeof claimsFor>>

/** Whose identity is told. */
interface Who {
  readonly project: ProjectRow
  readonly pipeline: PipelineRow
  readonly job: JobRow
}

const keys = new WeakMap<Uint8Array, IdentityKey>()

/** The key of this installation. */
export function identityKeyOf({ signingKey }: Pick<World, 'signingKey'>): IdentityKey {
  const key = keys.get(signingKey) ?? identityKey(signingKey)
  keys.set(signingKey, key)
  return key
}

/** Who vouches for the jobs of an organization. */
export const issuerOf = (world: World, organization: string): string => `${world.terms.baseUrl}/org/${organization}`

/** The variable with the token that says most, by the first of its names. */
export const longIdentity = `${variablePrefixes[0]}OIDC_TOKEN_V2`

/** The variables by which a job proves to others who it is; none for code that may see no secrets. */
export async function identityVariables(world: World, who: Who): Promise<Record<string, string>> {
  if (!rightsOf(who.pipeline).secrets) return {}
  const contexts = await contextIds(world, who)
  const wishes = await claimsFor(world, who.project)
  const tokens = {
    OIDC_TOKEN: tokenOf(world, who, contexts, 'short', wishes),
    OIDC_TOKEN_V2: tokenOf(world, who, contexts, 'long', wishes),
  }
  return Object.fromEntries(
    Object.entries(tokens).flatMap(([name, token]) => variablePrefixes.map((prefix) => [prefix + name, token])),
  )
}

/** A token of a job that runs, for whom it names. */
export async function identityToken(world: World, lease: LeaseRow, audience: string | undefined): Promise<string> {
  const job = orNotFound(await jobById(world.db, { id: lease.job_id }), 'Job')
  const pipeline = orNotFound(await pipelineById(world.db, { id: job.pipeline_id }), 'Pipeline')
  const project = orNotFound(await projectById(world.db, { id: job.project_id }), 'Project')
  if (!rightsOf(pipeline).secrets)
    throw new Refusal('forbidden', 'Cannot give the job a token as its code may see no secrets of the project')
  const who = { job, pipeline, project }
  const wishes = await claimsFor(world, project)
  return tokenOf(world, who, await contextIds(world, who), 'long', {
    ...wishes,
    ...(audience !== undefined && { audience: [audience] }),
  })
}

async function contextIds({ db }: World, { project, job }: Who): Promise<readonly string[]> {
  const wanted = JSON.parse(job.contexts) as string[]
  if (wanted.length === 0) return []
  return (await contextsNamed(db, project.organization_id, wanted)).map(({ id }) => id)
}

/** The claims of the reference; those that are not of the standard under both of their prefixes. */
function tokenOf(
  world: World,
  { project, pipeline, job }: Who,
  contexts: readonly string[],
  subject: 'short' | 'long',
  { audience = [project.organization_id], seconds = usualSeconds }: Wishes,
): string {
  const origin = vcsUrl(world, project).replace(/^[a-z+]+:\/\//, '')
  const ref = pipeline.tag === null ? `refs/heads/${pipeline.branch}` : `refs/tags/${pipeline.tag}`
  const user = pipeline.actor_id ?? systemActor.id
  const sub = `org/${project.organization_id}/project/${project.id}/user/${user}`
  const iat = Math.floor(Date.parse(world.now()) / 1000)
  const more = {
    'project-id': project.id,
    'context-ids': contexts,
    'vcs-origin': origin,
    'vcs-ref': ref,
    'ssh-rerun': job.why === 'ssh',
    'pipeline-id': pipeline.id,
    'workflow-id': job.workflow_id,
    'job-id': job.id,
  }
  return identityKeyOf(world).sign({
    iss: issuerOf(world, project.organization_id),
    sub: subject === 'short' ? sub : `${sub}/vcs-origin/${origin}/vcs-ref/${ref}`,
    aud: audience.length === 1 ? audience[0] : audience,
    iat,
    exp: iat + seconds,
    ...Object.fromEntries(
      claimPrefixes.flatMap((prefix) => Object.entries(more).map(([name, value]) => [prefix + name, value])),
    ),
  })
}
