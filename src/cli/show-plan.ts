import type { LeftOut, Why } from '#config/notes.ts'
import type { UnusedJob } from '#config/unused-jobs.ts'
import type { Plan, PlannedJob, PlannedWorkflow } from '#core/plan.ts'
import { assertNever } from '#kit/brand.ts'

/** What a plan is explained for. */
export interface Circumstances {
  readonly branch: string | undefined
  readonly tag: string | undefined
}

/** What would run, as trees of what waits for what, and what would not and why. */
export function showPlan(
  plan: Plan,
  leftOut: readonly LeftOut[],
  about: Circumstances,
  unused: readonly UnusedJob[] = [],
): string {
  const skipped = leftOut.filter(({ job }) => job === undefined)
  const isSkipped = (name: string) => skipped.some(({ workflow }) => workflow === name)
  const parts = plan.workflows.map((workflow) => showWorkflow(workflow, leftOut, about))
  const running = new Set(plan.workflows.map(({ name }) => name))
  const empty = new Set(
    leftOut.map(({ workflow }) => workflow).filter((name) => !running.has(name) && !isSkipped(name)),
  )
  for (const name of empty) {
    parts.push(
      [`workflow ${name}: left out, as none of its jobs would run`, ...jobsLeftOut(name, leftOut, about)].join('\n'),
    )
  }
  for (const { workflow, why, line } of skipped) {
    parts.push(`workflow ${workflow}: left out, as ${reasonOf(why, about)} (line ${line})`)
  }
  if (unused.length > 0)
    parts.push(
      ['jobs that no workflow mentions', ...unused.map(({ job, line }) => `  ✗ ${job} (line ${line})`)].join('\n'),
    )
  const what = plan.setup ? 'This setup configuration' : 'This configuration'
  const head =
    plan.workflows.length === 0
      ? `${what} would run nothing for ${refOf(about)}.`
      : `${what} would run for ${refOf(about)}:`
  return [head, ...parts].join('\n\n')
}

const refOf = ({ branch, tag }: Circumstances): string =>
  branch !== undefined ? `branch ${branch}` : tag === undefined ? 'any branch' : `tag ${tag}`

function showWorkflow({ name, jobs }: PlannedWorkflow, leftOut: readonly LeftOut[], about: Circumstances): string {
  return [`workflow ${name}`, ...graph(jobs), ...jobsLeftOut(name, leftOut, about)].join('\n')
}

function jobsLeftOut(workflow: string, leftOut: readonly LeftOut[], about: Circumstances): readonly string[] {
  const jobs = leftOut.filter((one) => one.workflow === workflow && one.job !== undefined)
  return jobs.map(({ job, line, why }) => `  ✗ ${job}: left out, as ${reasonOf(why, about)} (line ${line})`)
}

/** Each job stands once, under the last of what it waits for: only then can it start. */
function graph(jobs: readonly PlannedJob[]): readonly string[] {
  const children = new Map<string | undefined, PlannedJob[]>()
  for (const job of jobs) {
    const parent = job.needs.at(-1)?.job
    children.set(parent, [...(children.get(parent) ?? []), job])
  }
  const lines: string[] = []
  const pending = (children.get(undefined) ?? []).map((job) => ({ job, indent: '  ', mark: '' })).toReversed()
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { job, indent, mark } = next
    lines.push(`${indent}${mark}${describe(job)}`)
    const below = children.get(job.name) ?? []
    const inner = indent + (mark === '' ? '' : mark.startsWith('└') ? '   ' : '│  ')
    const marked = below.map((child, index) => ({
      job: child,
      indent: inner,
      mark: index === below.length - 1 ? '└─ ' : '├─ ',
    }))
    pending.push(...marked.toReversed())
  }
  return lines
}

function describe({ name, kind, needs, contexts, body }: PlannedJob): string {
  const facts = [
    ...(kind === 'build' ? [] : [kind]),
    ...(body && body.parallelism > 1 ? [`${body.parallelism} nodes`] : []),
    ...contexts.map((context) => `context ${context}`),
  ]
  const plain = needs.length < 2 && needs.every(({ on }) => on.join() === 'success')
  const after = plain
    ? []
    : [
        `after ${needs.map(({ job, on }) => (on.join() === 'success' ? job : `${job} is ${on.join(' or ')}`)).join(', ')}`,
      ]
  const told = [...facts, ...after].join('; ')
  return told === '' ? name : `${name} (${told})`
}

/** Why something is not in a plan, as the end of a sentence that begins with `as`. */
export function reasonOf(why: Why, about: Circumstances): string {
  switch (why.type) {
    case 'when':
      return 'its [when] does not hold'
    case 'unless':
      return 'its [unless] holds'
    case 'schedule':
      return 'it runs only at the times of its triggers'
    case 'not-scheduled':
      return 'only a scheduled workflow runs'
    case 'filters':
      return about.tag !== undefined && about.branch === undefined
        ? `its filters do not let tag ${about.tag} in: a tag needs a filter that names it`
        : `its filters do not let ${refOf(about)} in`
    case 'needs':
      return `all it requires is left out: ${why.jobs.join(', ')}`
    default:
      return assertNever(why)
  }
}
