import type { Plan, PlannedJob, PlannedWorkflow } from '#core/plan.ts'
import { hint } from './nearest.ts'

/** The part of a plan that somebody wants to run; what is not said is not limited. */
export interface Selection {
  readonly workflows?: readonly string[]
  /** By their names in a workflow; of a name that several workflows have, the first is meant. */
  readonly jobs?: readonly string[]
  /** Whether the jobs run behind what they require; alone unless said. */
  readonly withRequires?: boolean
}

export type Selected =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly missing: 'workflow' | 'job'; readonly name: string; readonly message: string }

/** What is left of a plan when only the wanted workflows and jobs run. */
export function selectFrom(plan: Plan, { workflows, jobs, withRequires = false }: Selection): Selected {
  const names = plan.workflows.map(({ name }) => name)
  const strange = workflows?.find((name) => !names.includes(name))
  if (strange !== undefined) return missing('workflow', strange, names)
  const wanted = workflows ? plan.workflows.filter(({ name }) => workflows.includes(name)) : plan.workflows
  if (!jobs) return { ok: true, plan: { ...plan, workflows: wanted } }
  const places = new Map<PlannedWorkflow, Set<string>>()
  for (const job of jobs) {
    const workflow = wanted.find((one) => one.jobs.some(({ name }) => name === job))
    if (!workflow) {
      const known = wanted.flatMap((one) => one.jobs.map(({ name }) => name))
      return missing('job', job, known)
    }
    places.set(workflow, (places.get(workflow) ?? new Set()).add(job))
  }
  const kept = wanted.flatMap((workflow) => {
    const chosen = places.get(workflow)
    return chosen ? [{ ...workflow, jobs: part(workflow.jobs, chosen, withRequires) }] : []
  })
  return { ok: true, plan: { ...plan, workflows: kept } }
}

/** Jobs stand behind what they need: going backwards, whatever a kept job needs is still to come. */
function part(jobs: readonly PlannedJob[], chosen: ReadonlySet<string>, withRequires: boolean): readonly PlannedJob[] {
  const kept = new Set(chosen)
  for (const { name, needs } of jobs.toReversed())
    if (withRequires && kept.has(name)) for (const { job } of needs) kept.add(job)
  return jobs
    .filter(({ name }) => kept.has(name))
    .map((job) => ({ ...job, needs: job.needs.filter((need) => kept.has(need.job)) }))
}

function missing(what: 'workflow' | 'job', name: string, known: readonly string[]): Selected {
  return { ok: false, missing: what, name, message: `Cannot find ${what} ${name}${hint(name, known)}` }
}
