import { hash } from 'node:crypto'
import { type KeptRecord, keepRecords, type ListedBuild } from '#server/store/builds.ts'
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
const form = 2

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
): Promise<string> {
  const stampFor = stamps(app, projects)
  const texts: string[] = []
  const fresh: KeptRecord[] = []
  for (const build of builds) {
    const { project, stamp } = await stampFor(build.project_id)
    const { text, cut } = keptText(build, stamp) ?? (await write(app, project, build, stamp, fresh))
    texts.push(shallow ? `${text.slice(0, cut)}}` : text)
  }
  if (fresh.length > 0) await app.world.db.transaction().execute((tx) => keepRecords(tx, fresh))
  return `[${texts.join(',')}]`
}

const keptText = ({ text, cut, stamp, edition, kept_edition }: ListedBuild, wanted: string) =>
  text !== null && cut !== null && stamp === wanted && edition === kept_edition ? { text, cut } : undefined

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
