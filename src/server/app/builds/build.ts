import type { Caller } from '#server/app/callers.ts'
import { providerOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { type JobFacts, jobOf } from '#server/app/find.ts'
import { stepsFor } from '#server/app/job-page.ts'
import { type ProjectName, projectFor, type Right } from '#server/app/permissions.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { sshUsersOf } from '#server/store/ssh-users.ts'
import type { JobRow } from '#server/store/workflows.ts'
import { buildFacts } from './facts.ts'
import { numberOf } from './people.ts'
import { buildRecord } from './record.ts'
import { stepRecords } from './steps.ts'

/** A build by its number, if the caller may. */
export async function buildFor(
  app: App,
  caller: Caller,
  right: Right,
  name: ProjectName,
  number: number,
): Promise<JobFacts> {
  return jobOf(app, await projectFor(app.world, caller, right, name), number, 'Build')
}

/** A build without its steps: the answer to triggers, retries and cancels. */
export const summaryOf = async (app: App, project: ProjectRow, job: JobRow) =>
  withVisitors(app, project, job, buildRecord(app.world, await buildFacts(app, project, job, 'single')))

/** A record that names the people who may come into the build. */
async function withVisitors(app: App, project: ProjectRow, job: JobRow, record: ReturnType<typeof buildRecord>) {
  const users = await sshUsersOf(app.world.db, { job: job.id })
  const type = providerOf(app.world, project).long
  const visitor = (user: (typeof users)[number]) => ({
    github_id: numberOf(user),
    login: user.login,
    type,
    external_id: numberOf(user),
  })
  return { ...record, ssh_users: users.map(visitor) }
}

/** A build as the answer to its trigger shows it: not running yet, even where the queue has it already (§3). */
export async function triggeredOf(app: App, project: ProjectRow, job: JobRow) {
  const record = await summaryOf(app, project, job)
  return record.lifecycle === 'queued'
    ? ({ ...record, lifecycle: 'not_running', status: 'not_running' } as const)
    : record
}

/** A build whole, steps included; also the payload of build notifications. */
export async function wholeBuild(app: App, project: ProjectRow, job: JobRow) {
  const facts = await buildFacts(app, project, job, 'single')
  return {
    ...(await withVisitors(app, project, job, buildRecord(app.world, facts))),
    owners: facts.actor ? [facts.actor.login] : [],
    steps: stepRecords(app.world, await stepsFor(app, job), job.parallelism),
  }
}
