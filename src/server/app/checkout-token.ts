import { type KeyOwner, keyOwner } from '#core/names.ts'
import { checkoutKeysOf } from '#server/store/keys.ts'
import { leaseOf, type LeaseRow } from '#server/store/leases.ts'
import { jobById } from '#server/store/jobs.ts'
import { type UserRow, userById } from '#server/store/people.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import { type Seal, tokenPrefix } from './seal.ts'
import { rightsOf } from './trust.ts'
import type { World } from './world.ts'

/** The lease that a token names. */
type Named = Pick<LeaseRow, 'job_id' | 'node' | 'fence'>

/**
 * What opens the built-in git host for the steps of a job: its repository, and nothing else of the job. It names the lease and ends with it,
 * so nothing is kept of it.
 */
export function checkoutToken(seal: Seal, { job_id, node, fence }: Named): string {
  const sealed = Buffer.from(seal.close(`checkout ${job_id} ${node} ${fence}`), 'base64')
  return tokenPrefix.checkout + sealed.toString('base64url')
}

/** The lease that a token was made for, for as long as it lasts. */
export async function leaseByCheckoutToken({ db, seal }: World, token: string): Promise<LeaseRow | undefined> {
  const named = opened(seal, token)
  const lease = named && (await leaseOf(db, { job: named.job_id, node: named.node }))
  return lease?.fence === named?.fence ? lease : undefined
}

function opened(seal: Seal, token: string): Named | undefined {
  const sealed = Buffer.from(token.slice(tokenPrefix.checkout.length), 'base64url').toString('base64')
  try {
    const [, job, node, fence] = /^checkout (\S+) (\d+) (\d+)$/.exec(seal.open(sealed)) ?? []
    return job === undefined ? undefined : { job_id: job, node: Number(node), fence: Number(fence) }
  } catch {
    // Not sealed by us.
    return undefined
  }
}

/** Whose key the project checks out with: a job then has the rights of that person. None of a deploy key, which only reads, and none for the code of a fork. */
export async function keyOwnerOf({ db }: World, lease: LeaseRow): Promise<UserRow | undefined> {
  const key = (await checkoutKeysOf(db, { project: lease.project_id })).find(({ preferred }) => preferred === 1)
  const owner: KeyOwner | undefined = key && keyOwner(key.type)
  if (owner !== 'user' || key?.user_id == null) return undefined
  const job = await jobById(db, { id: lease.job_id })
  const pipeline = job && (await pipelineById(db, { id: job.pipeline_id }))
  return pipeline && rightsOf(pipeline).keys ? userById(db, { id: key.user_id }) : undefined
}
