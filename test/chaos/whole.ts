import assert from 'node:assert/strict'
import { type Project, type Run, story } from './project.ts'
import type { Receiver } from './receiver.ts'
import { until } from './until.ts'
import { firstJob, type Plan, printed, type Witness } from './work.ts'

/** Says that a run did the plan exactly once: every job succeeded, and every log has every byte. */
export async function assertWhole(project: Project, plan: Plan, run: Run): Promise<void> {
  assert.deepEqual(
    run.jobs.map(({ name, status }) => `${name} ${status}`).toSorted(),
    Object.keys(plan)
      .map((name) => `${name} success`)
      .toSorted(),
    `Not every job ran once and succeeded: ${story([run])}`,
  )
  for (const job of run.jobs) await assertLogs(project, plan, job)
}

/** Says that the logs of a job have every byte that its steps printed, once. */
export async function assertLogs(
  project: Project,
  plan: Plan,
  job: { readonly id: string; readonly name: string },
): Promise<void> {
  const first = plan[job.name]?.checkout === 'first' ? 1 : 0
  for (const [i, step] of (plan[job.name]?.work ?? []).entries()) {
    const [found, wanted] = [await project.log(job.id, first + i), printed(job.name, step)]
    if (found === wanted) continue
    const at = wanted.split('').findIndex((letter, place) => letter !== found[place])
    assert.fail(
      `The log of step ${step.name} of job ${job.name} has ${found.length} bytes and must have ${wanted.length}: they differ at ${at}, ` +
        `where it says ${JSON.stringify(found.slice(at, at + 60))} and must say ${JSON.stringify(wanted.slice(at, at + 60))}`,
    )
  }
}

/** Says that every step of every run began exactly once, and that no number of a pipeline or job is missing. */
export async function assertOnce(project: Project, plan: Plan, witness: Witness): Promise<void> {
  const pipelines = await project.pipelines()
  const jobs = (await Promise.all(pipelines.map(({ id }) => project.runsOf(id)))).flat().flatMap((run) => run.jobs)
  const wanted = jobs.flatMap(({ name, job_number }) =>
    (plan[name]?.work ?? []).map((step) => `${job_number} ${name} ${step.name}`),
  )
  assert.deepEqual(witness.runs().toSorted(), wanted.toSorted(), 'Steps ran more or less often than once')
  assertDense(
    pipelines.map(({ number }) => number),
    'pipelines',
  )
  assertDense(
    jobs.map(({ job_number }) => job_number ?? 0),
    'jobs',
    firstJob,
  )
}

/** Says that numbers count up without a gap. */
export function assertDense(numbers: readonly number[], of: string, first = 1): void {
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    numbers.map((_, i) => i + first),
    `The numbers of ${of} have gaps or doubles`,
  )
}

/** A delivery that a server took with it when it died is sent again after a minute: on a busy machine later. */
const patience = 240_000

/** Waits until every end was told, and says that each has one id, however often it came. */
export async function assertTold(receiver: Receiver, runs: readonly Run[], ms = patience): Promise<void> {
  const wanted = runs.flatMap(({ workflow, jobs }) => [
    `workflow-completed ${workflow.id}`,
    ...jobs.map(({ id }) => `job-completed ${id}`),
  ])
  const ids = () => Map.groupBy(receiver.told, ({ type, job, workflow }) => `${type} ${job?.id ?? workflow.id}`)
  const missing = () => wanted.filter((end) => !ids().has(end))
  await until('every end was told', () => (missing().length === 0 ? true : undefined), ms).catch((error: unknown) => {
    throw new Error(`${String(error)}; never told: ${missing().join(', ')}`)
  })
  const manyNames = [...ids()].filter(([, told]) => new Set(told.map(({ id }) => id)).size > 1)
  assert.deepEqual(
    manyNames.map(([end]) => end),
    [],
    'Ends were recorded more than once: they came with several ids',
  )
  const strangers = [...ids().keys()].filter((end) => !wanted.includes(end))
  assert.deepEqual(strangers, [], 'Ends were told of what did not run')
}
