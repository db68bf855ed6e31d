import type { JobStatus } from '#core/job.ts'
import { jobWord } from '#core/status-words.ts'
import { between, type Instant, instant, later, timeIn } from '#kit/brand.ts'
import { csvLine } from '#kit/csv.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { firstUuidAt } from '#kit/uuid.ts'
import { insertUsageExport, usageExportById, type UsageExportRow, usedJobs } from '#server/store/usage-exports.ts'
import { providerOf } from './addresses.ts'
import type { Caller } from './callers.ts'
import { organizationFor } from './organizations.ts'
import { asUser } from './permissions.ts'
import { dayAfterTomorrow, isDayOver, isOurLink, linkSignature } from './signed-link.ts'
import type { World } from './world.ts'

export type { UsageExportRow }

const day = 24 * 60 * 60 * 1000
const mostDays = 31
const mostAgo = 366
const keptDays = 7
const pageSize = 500

/** What an account is wanted of. */
export interface UsageWish {
  readonly start: string
  readonly end: string
  /** Organizations beside the one that is asked. */
  readonly others: readonly string[]
}

/** Notes which account is wanted; it is made whenever somebody fetches it. Owners of all organizations in it may. */
export async function askForUsage(world: World, caller: Caller, id: string, wish: UsageWish): Promise<UsageExportRow> {
  const organization = await organizationFor(world, caller, 'owner', { id })
  const others: string[] = []
  for (const other of wish.others) others.push((await organizationFor(world, caller, 'owner', { id: other })).id)
  const [from, until] = [instant(new Date(timeIn(wish.start))), instant(new Date(timeIn(wish.end)))]
  checkDays(world.now(), from, until)
  const row = {
    id: world.newId(),
    organization_id: organization.id,
    user_id: asUser(caller).id,
    organizations: JSON.stringify([...new Set([organization.id, ...others])]),
    from_at: from,
    until_at: until,
    created_at: world.now(),
  }
  const old = later(world.now(), -keptDays * day)
  await world.db.transaction().execute((tx) => insertUsageExport(tx, row, old))
  return row
}

function checkDays(now: Instant, from: Instant, until: Instant): void {
  const refuse = (why: string): never => {
    throw new Refusal('invalid', `Cannot make an account of usage as ${why}`)
  }
  if (until < from) refuse('its end must come after its start: it comes before')
  if (between(from, now) > mostAgo * day) refuse(`its start must be at most ${mostAgo} days ago: it is longer ago`)
  if (from > now || until > now) refuse('it must be about the past: it reaches into the future')
  if (between(from, until) > mostDays * day) refuse(`it may hold ${mostDays} days: it would hold more`)
}

/** An account that was asked for, and where it can be fetched; nowhere where nothing ran. */
export async function usageExportFor(world: World, caller: Caller, organization: string, id: string) {
  const { id: owner } = await organizationFor(world, caller, 'owner', { id: organization })
  const row = await usageExportById(world.db, { id: id.toLowerCase() })
  const found = orNotFound(row?.organization_id === owner ? row : undefined, 'Usage export job')
  const [first] = await usedJobs(world.db, { ...windowOf(found), most: 1 })
  return { row: found, url: first && linkTo(world, found.id) }
}

const windowOf = (row: UsageExportRow) => ({
  organizations: JSON.parse(row.organizations) as string[],
  after: firstUuidAt(Date.parse(row.from_at)),
  before: firstUuidAt(Date.parse(row.until_at)),
})

function linkTo(world: World, id: string): string {
  const until = dayAfterTomorrow(world)
  const signature = linkSignature(world, ['usage', id], until)
  return `${world.terms.baseUrl}/api/rh/v1/usage/${id}?until=${until}&signature=${signature}`
}

/** An account by a link that we made and that is not too old, as CSV, piece by piece. */
export async function usageOf(
  world: World,
  id: string,
  until: string,
  signature: string,
): Promise<AsyncIterable<string>> {
  const isGood = isOurLink(world, ['usage', id.toLowerCase()], until, signature) && !isDayOver(world, until)
  const row = isGood ? await usageExportById(world.db, { id: id.toLowerCase() }) : undefined
  return pages(world, orNotFound(row, 'Usage export'))
}

type UsedJob = Awaited<ReturnType<typeof usedJobs>>[number]

const columns: Readonly<Record<string, (world: World, job: UsedJob) => string | number | null>> = {
  ORGANIZATION_ID: (_, job) => job.organization_id,
  ORGANIZATION_NAME: (_, job) => job.organization,
  PROJECT_ID: (_, job) => job.project_id,
  PROJECT_NAME: (_, job) => job.project_name,
  VCS_NAME: (world, job) => providerOf(world, job).display,
  VCS_URL: (_, job) => job.url,
  VCS_BRANCH: (_, job) => job.branch,
  PIPELINE_ID: (_, job) => job.pipeline_id,
  PIPELINE_CREATED_AT: (_, job) => job.pipeline_at,
  PIPELINE_NUMBER: (_, job) => job.pipeline_number,
  PIPELINE_TRIGGER_SOURCE: (_, job) => job.trigger_type,
  PIPELINE_TRIGGER_USER_ID: (_, job) => job.actor_id,
  WORKFLOW_ID: (_, job) => job.workflow_id,
  WORKFLOW_NAME: (_, job) => job.workflow_name,
  WORKFLOW_STOPPED_AT: (_, job) => job.workflow_stopped_at,
  IS_WORKFLOW_SUCCESSFUL: (_, job) => String(job.workflow_status === 'success'),
  JOB_NAME: (_, job) => job.name,
  JOB_RUN_NUMBER: (_, job) => job.number,
  JOB_ID: (_, job) => job.id,
  JOB_RUN_DATE: (_, job) => job.started_at?.slice(0, 10) ?? null,
  JOB_RUN_QUEUED_AT: (_, job) => job.queued_at,
  JOB_RUN_STARTED_AT: (_, job) => job.started_at,
  JOB_RUN_STOPPED_AT: (_, job) => job.stopped_at,
  JOB_BUILD_STATUS: (_, job) => jobWord[job.status as JobStatus],
  RESOURCE_CLASS: (_, job) => job.resource_class,
  EXECUTOR: (_, job) => job.executor,
  PARALLELISM: (_, job) => job.parallelism,
  JOB_RUN_SECONDS: (world, job) => Math.round(ranFor(world, job) / 1000),
  TOTAL_CREDITS: (world, { resource_class, ...job }) => {
    const { usual, byClass } = world.terms.insights.prices
    const price = byClass[resource_class] ?? usual
    return Math.round((ranFor(world, job) * price * job.parallelism) / 60) / 1000
  },
}

const ranFor = (world: World, job: Pick<UsedJob, 'started_at' | 'stopped_at'>): number =>
  Math.max(0, between(job.started_at as Instant, (job.stopped_at ?? world.now()) as Instant))

async function* pages(world: World, row: UsageExportRow): AsyncGenerator<string> {
  yield `${csvLine(Object.keys(columns))}\n`
  const window = windowOf(row)
  let { after } = window
  for (;;) {
    const jobs = await usedJobs(world.db, { ...window, after, most: pageSize })
    const lines = jobs.map((job) => `${csvLine(Object.values(columns).map((of) => of(world, job)))}\n`)
    if (lines.length > 0) yield lines.join('')
    const last = jobs.at(-1)
    if (!last || jobs.length < pageSize) return
    after = last.id
  }
}
