import { hash } from 'node:crypto'
import { type KeptRecord, keepRecords, keptRecords, type ListedBuild } from '#server/store/builds.ts'
import { jobById } from '#server/store/jobs.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import type { World } from '#server/app/world.ts'
import { buildFacts, isSettled } from './facts.ts'
import { restOfRecord, shallowRecord } from './record.ts'

/*
 * The record of an ended build does not change, so its text is kept and lists are made by joining texts:
 * putting one together takes a dozen queries, and writing thirty of them as JSON more time than reading them.
 */

/** Counted up when a record tells something else than before: what older programs kept is void. */
const form = 4

/** What every record of a project depends on beside its own build. */
const stampOf = ({ terms }: World, project: ProjectRow): string =>
  hash(
    'sha1',
    JSON.stringify([
      form,
      terms.baseUrl,
      terms.dialect,
      project.provider,
      project.organization,
      project.name,
      project.url,
      project.public,
    ]),
  )

/** Knows the projects of a list, and what the records of each depend on. */
function stamps(app: App, known: readonly ProjectRow[]) {
  const found = new Map(known.map((project) => [project.id, { project, stamp: stampOf(app.world, project) }]))
  return async (id: string) => {
    const seen = found.get(id)
    if (seen) return seen
    const project = await projectById(app.world.db, { id })
    if (!project) throw new Error(`Cannot find project ${id}`)
    const made = { project, stamp: stampOf(app.world, project) }
    found.set(id, made)
    return made
  }
}

/** A list of builds as JSON. What can be kept of it and was not is kept for the next who asks. */
export async function listText(
  app: App,
  builds: readonly ListedBuild[],
  projects: readonly ProjectRow[],
  shallow: boolean,
): Promise<Buffer> {
  const stampFor = stamps(app, projects)
  const places: Place[] = []
  for (const build of builds) places.push({ build, ...(await stampFor(build.project_id)) })
  // A record is the same as long as its edition and its stamp are.
  const key = `${shallow} ${places.map(({ build, stamp }) => `${build.id} ${build.edition} ${stamp}`).join(' ')}`
  return app.pageTexts.get(key) ?? written(app, places, shallow, key)
}

interface Place {
  readonly build: ListedBuild
  readonly project: ProjectRow
  readonly stamp: string
}

async function written(app: App, places: readonly Place[], shallow: boolean, key: string): Promise<Buffer> {
  const { db } = app.world
  const kept = await keptRecords(
    db,
    places.map(({ build }) => build.id),
  )
  const texts: string[] = []
  const fresh: KeptRecord[] = []
  let settled = 0
  for (const { build, project, stamp } of places) {
    const before = kept.get(build.id)
    const isKept = before?.stamp === stamp && before.edition === build.edition
    const { text, cut } = isKept ? before : await write(app, project, build, stamp, fresh)
    if (isKept) settled += 1
    texts.push(shallow ? `${text.slice(0, cut)}}` : text)
  }
  if (fresh.length > 0) await db.transaction().execute((tx) => keepRecords(tx, fresh))
  const page = Buffer.from(`[${texts.join(',')}]`)
  return settled === places.length ? app.pageTexts.keep(key, page) : page
}

async function write(app: App, project: ProjectRow, build: ListedBuild, stamp: string, fresh: KeptRecord[]) {
  const job = await jobById(app.world.db, { id: build.id })
  if (!job) throw new Error(`Cannot find job ${build.id} that was just listed`)
  const facts = await buildFacts(app, project, job, 'listed')
  const shallow = JSON.stringify(shallowRecord(app.world, facts))
  const cut = shallow.length - 1
  const text = `${shallow.slice(0, cut)},${JSON.stringify(restOfRecord(app.world, facts)).slice(1)}`
  if (isSettled(facts)) fresh.push({ job_id: job.id, stamp, edition: job.edition, cut, text })
  return { text, cut }
}
