import { pipelinesAcross } from '#server/store/pipelines.ts'
import { type ProjectRow, recentlyBuiltFollowed } from '#server/store/projects.ts'
import {
  branchesWith,
  type FoundProject,
  pipelinesWithCommits,
  projectsWith,
  testedJobs,
  testsWith,
} from '#server/store/search.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import type { PageOf } from './lists.ts'
import { may } from './permissions.ts'

/** What can be looked for. */
export type SearchKind = 'project' | 'branch' | 'pipeline' | 'test'

/** One thing that was found. */
export interface Found {
  readonly kind: SearchKind
  readonly project: FoundProject
  readonly name: string
  readonly branch?: string | null
  readonly pipeline?: number
  readonly workflow?: string
  readonly job?: string
  readonly at?: string
}

const pageSize = 20
/** So many of each kind are shown where all kinds are. */
const few = 6
/** Branches, pipelines and tests are looked for in so many of the projects that somebody follows, the last built first. */
const mostProjects = 50
/** So many pipelines are looked through for one page; a token goes on behind them. */
const lookedThrough = 200
const testPipelines = 30
const testJobs = 10
const testsOfJob = 2_000

/** What one search looks at: its words, and the projects whose inside it looks into. */
interface Hunt {
  readonly app: App
  readonly user: User
  readonly words: readonly string[]
  readonly projects: readonly ProjectRow[]
}

/** Finds things by their words, all of which they must have. Every part of it is bounded, however much there is. */
export async function search(
  app: App,
  user: User,
  text: string,
  kind: SearchKind | undefined,
  token: string | undefined,
): Promise<PageOf<Found>> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
  if (words.length === 0) return { items: [], next: null }
  const hunt = { app, user, words, projects: await familiar(app, user) }
  if (kind === undefined) {
    const found = await Promise.all(Object.values(finders).map((find) => find(hunt, '', few)))
    return { items: found.flatMap(({ items }) => items.slice(0, few)), next: null }
  }
  const list = `search:${user.id}:${kind}`
  const page = app.cursors.read(list, token, { text })
  const { items, last } = await finders[kind](hunt, page?.after ?? '', pageSize)
  return { items, next: last === undefined ? null : app.cursors.write(list, { after: last, filter: { text } }) }
}

/** The projects that somebody follows and still may see, the last built first. */
async function familiar({ world }: App, user: User): Promise<readonly ProjectRow[]> {
  const followed = await recentlyBuiltFollowed(world.db, { user: user.id, most: mostProjects })
  const seen = await Promise.all(
    followed.map(async (project) => ((await may(world, user, 'read', project)) ? [project] : [])),
  )
  return seen.flat()
}

/** What was found, and where to go on if there may be more. */
interface Some {
  readonly items: readonly Found[]
  readonly last?: string | undefined
}

const finders: Readonly<Record<SearchKind, (hunt: Hunt, after: string, most: number) => Promise<Some>>> = {
  project: findProjects,
  branch: findBranches,
  pipeline: findPipelines,
  test: findTests,
}

async function findProjects({ app, user, words }: Hunt, after: string, most: number): Promise<Some> {
  const looker = { user: user.id, admin: user.user.admin === 1 }
  const rows = await projectsWith(app.world.db, looker, words, after, most + 1)
  const items = rows.slice(0, most)
  return {
    items: items.map((project) => ({ kind: 'project', project, name: project.name })),
    last: rows.length > most ? items.at(-1)?.slug : undefined,
  }
}

/** The words that the name of a project does not have already: `engine main` is branch main of project engine. */
const wordsBeside = (words: readonly string[], { organization, name }: FoundProject): readonly string[] =>
  words.filter((word) => !`${organization}/${name}`.toLowerCase().includes(word))

/** In the order of their names; a page goes on behind a name and its project. */
async function findBranches({ app, words, projects }: Hunt, after: string, most: number): Promise<Some> {
  const [slug = '', name = ''] = after === '' ? [] : (JSON.parse(after) as string[])
  const found = await Promise.all(
    projects.map(async (project) => {
      const rest = wordsBeside(words, project)
      if (rest.length === 0) return []
      // Of projects that come later in the order of slugs, the same name is still to come.
      const at = { project: project.id, words: rest, from: name, past: project.slug <= slug, most: most + 1 }
      const names = await branchesWith(app.world.db, at)
      return names.map((branch) => ({ kind: 'branch' as const, project, name: branch, branch }))
    }),
  )
  const all = found.flat().toSorted((a, b) => compare(a.name, b.name) || compare(a.project.slug, b.project.slug))
  const items = all.slice(0, most)
  const last = items.at(-1)
  return { items, last: all.length > most && last ? JSON.stringify([last.project.slug, last.name]) : undefined }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The newest first; by the words of the branch, the number, the subject and the beginning of the commit. */
async function findPipelines({ app, words, projects }: Hunt, after: string, most: number): Promise<Some> {
  const wanted = { projects: projects.map(({ id }) => id), ...(after !== '' && { before: after }) }
  const glances = await pipelinesAcross(app.world.db, wanted, lookedThrough)
  if (glances.length === 0) return { items: [] }
  const byId = new Map(projects.map((project) => [project.id, project]))
  const rows = await pipelinesWithCommits(
    app.world.db,
    glances.map(({ id }) => id),
  )
  const hits = rows.flatMap((row) => {
    const project = byId.get(row.project_id)
    const subject = row.details === null ? '' : (JSON.parse(row.details) as { readonly subject: string }).subject
    const text = `${row.branch ?? row.tag ?? ''} ${subject}`.toLowerCase()
    const isHit = (word: string) =>
      text.includes(word) || word.replace(/^#/, '') === String(row.number) || isCommit(word, row.revision)
    if (!project) return []
    const rest = wordsBeside(words, project)
    if (rest.length === 0 || !rest.every(isHit)) return []
    const found = {
      kind: 'pipeline' as const,
      project,
      name: subject,
      branch: row.branch ?? row.tag,
      pipeline: row.number,
      at: row.created_at,
    }
    return [{ id: row.id, found }]
  })
  const shown = hits.slice(0, most)
  const mayBeMore = hits.length > most ? shown.at(-1)?.id : undefined
  const behind = glances.length === lookedThrough ? glances.at(-1)?.id : undefined
  return { items: shown.map(({ found }) => found), last: mayBeMore ?? behind }
}

const isCommit = (word: string, revision: string): boolean => word.length >= 4 && revision.startsWith(word)

/** Among the tests that the newest pipelines told. */
async function findTests({ app, words, projects }: Hunt, _after: string, most: number): Promise<Some> {
  const { db } = app.world
  const glances = await pipelinesAcross(db, { projects: projects.map(({ id }) => id) }, testPipelines)
  if (glances.length === 0) return { items: [] }
  const jobs = await testedJobs(
    db,
    glances.map(({ id }) => id),
    testJobs,
  )
  const found = new Map<string, Found>()
  for (const job of jobs) {
    const project = projects.find(({ id }) => id === job.project_id)
    const rest = project && wordsBeside(words, project)
    if (!project || !rest?.length || found.size >= most) continue
    for (const test of await testsWith(db, { job: job.id, words: rest, among: testsOfJob, most })) {
      if (found.size >= most || found.has(test.test_key)) continue
      const name = test.classname === '' ? test.name : `${test.classname} ${test.name}`
      const where = { pipeline: job.number, workflow: job.workflow_id, job: job.id }
      found.set(test.test_key, { kind: 'test', project, name, ...where, at: test.recorded_at })
    }
  }
  return { items: [...found.values()] }
}
