import { isOrganizationName, isRepositoryName } from '#core/refs.ts'
import type { UserId } from '#core/ids.ts'
import { Refusal } from '#kit/refusal.ts'
import { projectById, projectBySlug, type ProjectRow } from '#server/store/projects.ts'
import { type GitAnswer, type GitRequest, refusedFetch, serveGit } from '#server/vcs/http-backend.ts'
import { withLines } from '#server/vcs/push-messages.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import { missingCommit } from './commits-for-jobs.ts'
import { beginPush, untoldPipelines } from './open-pushes.ts'
import { may } from './permissions.ts'
import { checkMayMake, projectForPush } from './projects.ts'
import { type Ends, pushReport } from './push-report.ts'
import { receivePush } from './pushes.ts'
import { emptyRepository, repositoryOf } from './repositories.ts'

/** What a git client wants, before anybody was let in. */
export interface GitWish {
  readonly organization: string
  readonly repository: string
  readonly wantsPush: boolean
  readonly request: Omit<GitRequest, 'repository' | 'mayPush' | 'remoteUser'>
}

/** Of a push that moves more refs than this, the rest is read when it is known that they moved. */
const mostReadAhead = 4

/** Serves the built-in git host: reading for those who may read, pushing for those who may build; the first push makes the project. */
export async function serveRepository(app: App, caller: Caller, wish: GitWish, ends: Ends): Promise<GitAnswer> {
  const signal = ends.gone
  const project = await projectOf(app, caller, wish)
  if (!project)
    return serveGit({ ...wish.request, repository: await emptyRepository(app.world), mayPush: true }, signal)
  const mayPush = wish.wantsPush && (await may(app.world, caller, 'build', project))
  // git asks first without the token it has: told to log in, it asks again with it.
  if (wish.wantsPush && caller.kind === 'anonymous') throw new Refusal('unauthenticated', 'You must log in first.')
  if (wish.wantsPush && !mayPush) throw new Refusal('forbidden', 'Permission denied')
  const request = {
    ...wish.request,
    repository: repositoryOf(app.world, project),
    mayPush,
    ...('user' in caller && caller.user && { remoteUser: caller.user.login }),
  }
  if (wish.request.service === 'info/refs' && !wish.wantsPush && project.url !== null && 'lease' in caller) {
    const missing = await missingCommit(app.world, project, caller.lease, signal)
    if (missing !== undefined) return refusedFetch(missing)
  }
  if (wish.request.service !== 'git-receive-pack') return serveGit(request, signal)
  const actor = 'user' in caller ? ((caller.user?.id as UserId | undefined) ?? null) : null
  const push = await beginPush(app, project, actor)
  const answer = await serveGit(request, signal).catch(async (error: unknown) => {
    await push.end()
    throw error
  })
  const waits = answer.push?.hearsMessages === true && answer.push.options.includes('wait')
  // Also where git failed in the end: a client that leaves late may have moved a ref before.
  const look = async () => {
    // Read while git is asked which refs moved: what is built then is most likely one of these.
    const ahead = (answer.push?.wanted ?? []).slice(0, mostReadAhead).map((to) => app.findRevision(project, to))
    const read = Promise.allSettled(ahead)
    const pipelines = await receivePush(app.world, app.findRevision, project, actor)
    await Promise.all([read, push.made(pipelines, waits)])
    return pipelines
  }
  const noted = answer.done.then(look, (error: unknown) => look().finally(() => Promise.reject(error as Error)))
  const done = noted.then(() => {})
  const { push: sender } = answer
  if (sender?.hearsMessages !== true) return { ...answer, done }
  // Whoever is told that a push is done can rely on it: the report begins when the pipelines are there.
  const lines = async function* () {
    const pipelines = await noted.catch(() => undefined)
    // Whoever looks after pushes that failed in the middle looks after this one.
    if (!pipelines) return
    try {
      const earlier = await untoldPipelines(app, project, actor)
      yield* pushReport(app, project, { pipelines, earlier }, waits, ends)
    } finally {
      if (waits) await push.end()
    }
  }
  return { ...answer, body: withLines(answer.body, lines), done }
}

/** Nothing where somebody only asks what there is before the first push: the project is made when something comes. */
async function projectOf(
  app: App,
  caller: Caller,
  { organization, repository, wantsPush, request }: GitWish,
): Promise<ProjectRow | undefined> {
  if (!isOrganizationName(organization) || !isRepositoryName(repository)) {
    throw new Refusal(
      'invalid',
      'Cannot use this address as its organization and repository must be plain names: they are not',
    )
  }
  const isJob = caller.kind === 'job' || caller.kind === 'checkout'
  const own = isJob ? await projectById(app.world.db, { id: caller.lease.project_id }) : undefined
  // A job that may have no key reads its own project here, wherever its repository lives.
  if (own && !wantsPush && isNamed(own, organization, repository)) return own
  const known = await projectBySlug(app.world.db, app.world.terms.hostedAs, organization, repository)
  if (known && (await may(app.world, caller, 'read', known))) {
    if (known.url !== null) throw new Refusal('not-found', 'Repository not found.')
    return known
  }
  // Asked first without a token, git asks its user for one only when told so.
  if (caller.kind === 'anonymous') throw new Refusal('unauthenticated', 'You must log in first.')
  if (known || !wantsPush || caller.kind !== 'user') throw new Refusal('not-found', 'Repository not found.')
  if (request.service === 'git-receive-pack') return projectForPush(app.world, caller, organization, repository)
  await checkMayMake(app.world, caller, organization)
  return undefined
}

const isNamed = (project: ProjectRow, organization: string, repository: string): boolean =>
  project.organization.toLowerCase() === organization.toLowerCase() && project.key === repository.toLowerCase()
