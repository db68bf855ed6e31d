import { type BuildOutcome, buildWords } from '#core/build-words.ts'
import type { JobStatus } from '#core/job.ts'
import { type BranchBuild, newestBy, newestOfBranch, newestOfBranchBy } from '#server/store/branch-builds.ts'
import { builtBranches, previousBuild } from '#server/store/build-past.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { World } from '#server/app/world.ts'

/** Of a branch, so many recent builds are told (§8). */
const mostRecent = 5
/** Among so many of its newest builds, nearly every branch has all that its record tells. */
const looked = 20
/** A record names the branches that were built last. */
const mostBranches = 100
const mostRunning = 100

const unsuccessful: readonly JobStatus[] = ['failed', 'timedout', 'infrastructure_fail', 'retried', 'canceled']

/** Success is one outcome, all others are not. */
const succeeded = (build: BranchBuild): boolean => outcomeOf(build) === 'success'
const failedToSucceed = (build: BranchBuild): boolean => outcomeOf(build) !== 'success'

/** How the branches of a project stand (§2.2), the one built last first. */
export async function branchRecords({ db }: World, project: Pick<ProjectRow, 'id'>) {
  const at = { project: project.id }
  const running = (
    await Promise.all(['running', 'queued'].map((status) => newestBy(db, { ...at, status, most: mostRunning })))
  ).flat()
  const branches = (await builtBranches(db, at)).slice(0, mostBranches)
  return Promise.all(
    branches.map(async ({ branch }) => {
      const name = branch ?? ''
      return [name, await branchRecord(db, { ...at, branch: name }, running)] as const
    }),
  )
}

interface Branch {
  readonly [field: string]: unknown
  readonly project: string
  readonly branch: string
}

async function branchRecord(db: World['db'], at: Branch, allRunning: readonly BranchBuild[]) {
  const newest = await newestOfBranch(db, { ...at, most: looked })
  const running = allRunning.filter(({ branch }) => branch === at.branch).toSorted(newestFirst)
  const finished = newest.filter((build) => outcomeOf(build) !== undefined)
  const recent =
    finished.length >= mostRecent || newest.length < looked
      ? finished
      : await standing(db, at, [...unsuccessful, 'success'], mostRecent)
  const lastSuccess = recent.find(succeeded) ?? (await standing(db, at, ['success'], 1)).find(succeeded)
  const lastOther = recent.find(failedToSucceed) ?? (await standing(db, at, unsuccessful, 1))[0]
  const told = async (build: BranchBuild) => buildRecord(build, await before(db, at, newest, build))
  return {
    pusher_logins: [...new Set(newest.flatMap(({ login }) => (login === null ? [] : [login])))],
    ...(lastOther && { last_non_success: await told(lastOther) }),
    ...(lastSuccess && { last_success: await told(lastSuccess) }),
    recent_builds: await Promise.all(recent.slice(0, mostRecent).map(told)),
    running_builds: running.map((build) => buildRecord(build, undefined)),
    latest_workflows: workflows(newest),
    latest_completed_workflows: workflows(newest.filter((build) => build.workflow_stopped_at !== null)),
    is_using_workflows: true,
  }
}

const newestFirst = (a: BranchBuild, b: BranchBuild): number => (b.number ?? 0) - (a.number ?? 0)

const outcomeOf = (build: Pick<BranchBuild, 'status' | 'no_tests'>): BuildOutcome | undefined =>
  buildWords(build.status as JobStatus, { noTests: build.no_tests === 1 }).outcome

/** The newest builds of a branch that stand in one of several ways. */
async function standing(db: World['db'], at: Branch, statuses: readonly JobStatus[], most: number) {
  const found = await Promise.all(statuses.map((status) => newestOfBranchBy(db, { ...at, status, most })))
  return found.flat().toSorted(newestFirst)
}

/** How the build of the same job before it ended: whether a success is a repair depends on it. */
async function before(db: World['db'], at: Branch, newest: readonly BranchBuild[], build: BranchBuild) {
  if (build.status !== 'success') return undefined
  const number = build.number ?? 0
  const near = newest.find((other) => other.name === build.name && (other.number ?? 0) < number)
  const previous = near ?? (await previousBuild(db, { ...at, name: build.name, number }))
  return previous && outcomeOf(previous)
}

function buildRecord(build: BranchBuild, previous: BuildOutcome | undefined) {
  const words = buildWords(build.status as JobStatus, {
    noTests: build.no_tests === 1,
    ...(build.dont_build !== null && { dontBuild: build.dont_build }),
    ...(previous !== undefined && { previous }),
  })
  return {
    pushed_at: build.received_at,
    vcs_revision: build.revision,
    build_num: build.number ?? 0,
    outcome: words.outcome ?? null,
    status: words.status,
    added_at: build.created_at,
    is_workflow_job: true,
    is_2_0_job: true,
  }
}

/** The newest workflow of each name. */
const workflows = (builds: readonly BranchBuild[]) =>
  Object.fromEntries(
    builds
      .toReversed()
      .map((build) => [
        build.workflow_name,
        { id: build.workflow_id, created_at: build.workflow_created_at, status: build.workflow_status },
      ]),
  )
