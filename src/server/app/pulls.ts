import type { Provider } from '#core/names.ts'
import { type ProviderEvent, peopleOf } from '#core/provider-event.ts'
import { skipsCi } from '#core/pipeline.ts'
import { decideTrust } from '#core/trust.ts'
import { Refusal } from '#kit/refusal.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import { lockProject, type ProjectRow } from '#server/store/projects.ts'
import { pipelineOfRevision, pullOf, type PullRow, putPull } from '#server/store/pulls.ts'
import { refOf } from '#server/store/refs.ts'
import { dropPullHead } from '#server/vcs/pull-head.ts'
import type { App } from './app.ts'
import { fetchPull } from './mirrors.ts'
import { settingsOf } from './project-settings.ts'
import { allMayBuild, userBehind } from './provider-people.ts'
import { repositoryOf } from './repositories.ts'
import { createPipeline, type Wanted } from './trigger.ts'
import type { World } from './world.ts'

export type PullEvent = Extract<ProviderEvent, { readonly type: 'pull-request' }>

/** What came of a hook: something was done, or nothing, and why. */
export interface Outcome {
  readonly state: 'done' | 'ignored'
  readonly words: string
}

const done = (words: string): Outcome => ({ state: 'done', words })
const ignored = (words: string): Outcome => ({ state: 'ignored', words })

/**
 * Takes note of how a pull request stands, and builds it where it brings code that no push of the project's own brings. Of what the hook
 * says about the code nothing is believed: git says what the head is. Each move of the head is built once, however often it is told.
 */
export async function receivePull(
  app: App,
  project: ProjectRow,
  event: PullEvent,
  signal: AbortSignal,
): Promise<Outcome> {
  const { world } = app
  const { pull } = event
  if (!pull.isOpen) {
    await world.db.transaction().execute((tx) => putPull(tx, rowOf(world, project, event, pull.head.revision)))
    await dropPullHead(repositoryOf(world, project), pull.number).catch(() => {})
    return done(`pull request ${pull.number} is closed`)
  }
  if (!pull.isFork) return ownPull(app, project, event)
  const settings = settingsOf(project)
  const verdict = decideTrust({
    source: 'fork',
    origin: 'pull-request',
    actorMayBuild: await allMayBuild(world, project, peopleOf(event)),
    buildsForks: settings.buildForkPrs,
    passesSecretsToForks: settings.forksReceiveSecretEnvVars,
  })
  if (!event.hasNews || !verdict.builds || !settings.buildsPushes) {
    await world.db.transaction().execute((tx) => putPull(tx, rowOf(world, project, event, pull.head.revision)))
    return ignored(verdict.builds ? `pull request ${pull.number} has no new code` : verdict.why)
  }
  // Without refs for pull requests there is nowhere else to find it.
  const { kind } = world.terms.providers[project.provider as Provider]
  if (kind === 'bitbucket' && !pull.head.repository)
    return ignored(`pull request ${pull.number} cannot be built: the repository it comes from is gone`)
  const revision = await fetchPull(world, project, pull, signal)
  if (!revision.startsWith(pull.head.revision))
    return ignored(`pull request ${pull.number} has moved on to ${revision}: another hook tells of that`)
  const wanted = { trust: verdict.trust, needsApproval: verdict.needsApproval, branch: `pull/${pull.number}` }
  return build(world, project, event, revision, wanted)
}

/** The branch is built when it is pushed, unless only pull requests are: then this may be what it waited for. */
async function ownPull({ world, findRevision }: App, project: ProjectRow, event: PullEvent): Promise<Outcome> {
  const { number, head } = event.pull
  const { buildPrsOnly, buildsPushes } = settingsOf(project)
  const revision = await refOf(world.db, project.id, `refs/heads/${head.branch}`)
  if (!buildPrsOnly || !buildsPushes || !event.hasNews || revision === undefined) {
    await world.db.transaction().execute((tx) => putPull(tx, rowOf(world, project, event, head.revision)))
    return done(`pull request ${number} is noted: its branch is built when it is pushed`)
  }
  const { commit } = await findRevision(project, revision)
  if (skipsCi(commit.subject, commit.body)) {
    await world.db.transaction().execute((tx) => putPull(tx, rowOf(world, project, event, revision)))
    return done(`pull request ${number} is noted: commit ${revision} asks not to be built`)
  }
  return build(world, project, event, revision, { branch: head.branch })
}

async function build(
  world: World,
  project: ProjectRow,
  event: PullEvent,
  revision: string,
  how: Pick<Wanted, 'trust' | 'needsApproval'> & { readonly branch: string },
): Promise<Outcome> {
  const { pull } = event
  const actor = await userBehind(world, project.provider, event.actor)
  const made = await world.db.transaction().execute(async (tx): Promise<PipelineRow | undefined> => {
    await lockProject(tx, { id: project.id })
    const before = await pullOf(tx, { project: project.id, number: pull.number })
    await putPull(tx, rowOf(world, project, event, revision))
    // The branch of a pull request of our own is built when it is pushed, and its hook comes later.
    const cameBack = pull.isFork && before !== undefined && !revision.startsWith(before.revision)
    if (!cameBack && (await pipelineOfRevision(tx, { project: project.id, branch: how.branch, revision })))
      return undefined
    return createPipeline(world, tx, project, {
      ...how,
      type: 'webhook',
      actor,
      revision,
      tag: null,
      parameters: {},
      options: { pull: optionOf(event) },
      ...(before && before.revision !== revision && before.revision.length >= 40 && { baseRevision: before.revision }),
    })
  })
  if (!made) return ignored(`commit ${revision} of pull request ${pull.number} was built before`)
  world.bell.ring('pipelines')
  world.bell.ring(`project:${project.id}`)
  return done(`pipeline ${made.number}${made.needs_approval === 1 ? ', which waits for approval' : ''}`)
}

const optionOf = ({ pull, repository }: PullEvent) => ({
  number: pull.number,
  url: pull.url,
  owner: pull.head.repository?.owner ?? '',
  repository: pull.head.repository?.name ?? repository.name,
  branch: pull.head.branch,
  baseBranch: pull.baseBranch,
})

function rowOf(world: World, project: ProjectRow, { pull }: PullEvent, revision: string): PullRow {
  if (pull.number > 2 ** 31 - 1)
    throw new Refusal('invalid', `Cannot note pull request ${pull.number}: no provider counts so far`)
  const { repository } = pull.head
  return {
    project_id: project.id,
    number: pull.number,
    state: pull.isOpen ? 'open' : 'closed',
    fork: pull.isFork ? 1 : 0,
    branch: pull.head.branch,
    revision,
    base_branch: pull.baseBranch,
    head_repository: repository ? `${repository.owner}/${repository.name}` : '',
    title: pull.title,
    url: pull.url,
    updated_at: world.now(),
  }
}
