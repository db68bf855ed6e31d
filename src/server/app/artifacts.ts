import { Readable } from 'node:stream'
import { later } from '#kit/brand.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { artifactAt, type ArtifactRow, artifactsOf, keepArtifacts, type NewArtifact } from '#server/store/artifacts.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import type { SmallArtifacts } from './small-artifacts.ts'
import type { JobRow } from './find.ts'
import { checkHeld } from './held.ts'
import type { PageOf } from './lists.ts'
import { projectOfId } from './permissions.ts'
import { blobKey, daysFrom, type Stored, storeBytes, storedAt } from './storage.ts'
import { isOurLink, linkSignature } from './signed-link.ts'
import type { World } from './world.ts'

export type { ArtifactRow }

const pageSize = 20
/** More than anybody looks at; a job that leaves more shows the first of them in generation 1.1. */
const mostListed = 100_000
/** How long a signed link opens an artifact. */
const linkMs = 10 * 60 * 1000

/** The job whose files these are: one that was carried over has those of the job that did the work. */
const sourceOf = (job: Pick<JobRow, 'id' | 'reused_from'>): string => job.reused_from ?? job.id

/** All artifacts of a job, as they came. */
export const allArtifacts = (world: World, job: JobRow): Promise<readonly ArtifactRow[]> =>
  artifactsOf(world.db, sourceOf(job), world.now(), undefined, mostListed)

/** One artifact of a job. Older links have the name of the folder in front of its path, unresolved. */
export const artifactOf = (world: World, job: JobRow, node: number, path: string): Promise<ArtifactRow | undefined> =>
  artifactAt(world.db, {
    job: sourceOf(job),
    node,
    path: path.replace(/^\$CIRCLE_ARTIFACTS\//, ''),
    now: world.now(),
  })

/** A page of the artifacts of a job, as they came. */
export async function listArtifacts(app: App, job: JobRow, token: string | undefined): Promise<PageOf<ArtifactRow>> {
  const list = `artifacts:${job.id}`
  const page = app.cursors.read(list, token, {})
  const rows = await artifactsOf(app.world.db, sourceOf(job), app.world.now(), page?.after, pageSize + 1)
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  return {
    items,
    next: rows.length > pageSize && last ? app.cursors.write(list, { after: last.id, filter: {} }) : null,
  }
}

/** Saves one file of a job. The same path again replaces it. */
export async function saveArtifact(
  world: World,
  lease: LeaseRow,
  path: string,
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  checkPath(path)
  const id = world.newId()
  const size = await storeBytes(world, blobKey('artifacts', id), bytes, world.terms.storage.mostArtifactBytes)
  await keep(world, lease, [{ id, path, size }])
}

/**
 * Saves many small files of a job at once: one blob holds them all, and one transaction keeps them. Each goes when its time is over,
 * the blob with the last of them.
 */
export async function saveArtifacts(world: World, lease: LeaseRow, { files, bytes }: SmallArtifacts): Promise<void> {
  const paths = new Set(files.map(({ path }) => path))
  if (paths.size < files.length) throw new Refusal('invalid', 'Cannot keep artifacts: two of them have the same path')
  for (const path of paths) checkPath(path)
  if (files.length === 0) return
  const blob = world.newId()
  await storeBytes(world, blobKey('artifacts', blob), Readable.from([bytes]), bytes.length)
  let start = 0
  const rows = files.map(({ path, size }) => {
    const row = { id: world.newId(), path, size, blob, start }
    start += size
    return row
  })
  await keep(world, lease, rows)
}

type Kept = Pick<NewArtifact, 'id' | 'path' | 'size' | 'blob' | 'start'>

async function keep(world: World, { job_id, node, ...lease }: LeaseRow, kept: readonly Kept[]): Promise<void> {
  const created_at = world.now()
  const expires_at = daysFrom(created_at, world.terms.storage.artifactDays)
  const rows = kept.map((row) => ({ ...row, job_id, node, created_at, expires_at }))
  const gone = await world.db.transaction().execute(async (tx) => {
    await checkHeld(tx, { ...lease, job_id, node })
    return keepArtifacts(tx, rows)
  })
  for (const blob of gone) await world.blobs.remove(blobKey('artifacts', blob))
}

/** A path is only ever a name in a table, but programs that download by it make files of it. */
function checkPath(path: string): void {
  const segments = path.split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..') || /[\p{Cc}\\]/u.test(path))
    throw new Refusal('invalid', `Cannot keep an artifact as its path must be plain: it is ${JSON.stringify(path)}`)
}

/** Where an artifact is downloaded, by somebody who has a token or a session. */
export const artifactUrl = (world: World, { job_id, node, path }: ArtifactRow): string =>
  `${world.terms.baseUrl}/output/job/${job_id}/artifacts/${node}/${path.split('/').map(encodeURIComponent).join('/')}`

/** A link that opens one artifact to whoever has it, for some minutes. */
export function signedArtifactUrl(world: World, artifact: ArtifactRow): string {
  const expires = later(world.now(), linkMs)
  const signature = linkSignature(world, ['artifact', artifact.job_id, artifact.node, artifact.path], expires)
  return `${artifactUrl(world, artifact)}?expires=${encodeURIComponent(expires)}&signature=${signature}`
}

/** What a caller wants to download. */
export interface WantedArtifact {
  readonly job: string
  readonly node: number
  readonly path: string
  readonly expires?: string | undefined
  readonly signature?: string | undefined
}

/** An artifact, for a caller who may see the project, or anybody with a good link. */
export async function readArtifact(world: World, caller: Caller, wanted: WantedArtifact): Promise<Stored> {
  const job = orNotFound(await jobById(world.db, { id: wanted.job }), 'Artifact')
  if (!isSigned(world, wanted)) await projectOfId(world, caller, 'read', job.project_id, 'Artifact')
  const at = { job: sourceOf(job), node: wanted.node, path: wanted.path, now: world.now() }
  return storedAt(world, 'artifacts', orNotFound(await artifactAt(world.db, at), 'Artifact'))
}

const isSigned = (world: World, { job, node, path, expires = '', signature = '' }: WantedArtifact): boolean =>
  isOurLink(world, ['artifact', job, node, path], expires, signature) && expires > world.now()
