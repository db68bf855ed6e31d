import { valuesOf } from '#cli/config-commands.ts'
import { printable } from '#cli/printable.ts'
import { reasonOf, showPlan } from '#cli/show-plan.ts'
import { showProblems } from '#cli/show-problems.ts'
import { compile, type CompileInput } from '#config/compile.ts'
import { hint } from '#config/nearest.ts'
import { declaredDefaults } from '#config/pipeline/declared.ts'
import { selectFrom, type Selection } from '#config/select.ts'
import { unusedJobs } from '#config/unused-jobs.ts'
import type { Plan } from '#core/plan.ts'

/** What somebody wants to run. */
export interface Wish {
  readonly file: string
  readonly source: string
  readonly branch: string | undefined
  readonly tag: string | undefined
  /** Names of workflows or of jobs, whichever there are. */
  readonly names: readonly string[]
  readonly workflows: readonly string[]
  readonly jobs: readonly string[]
  readonly withRequires: boolean
  /** As they were written: `name=value`. */
  readonly parameters: readonly string[]
  readonly orbs: NonNullable<CompileInput['orbs']>
}

type Parameters = CompileInput['parameters']

/** What will run, or what a person is told instead. */
export type Planned =
  | {
      readonly ok: true
      readonly plan: Plan
      readonly part: { readonly only?: Selection; readonly job?: string }
      readonly parameters: Parameters
      /** The whole of the configuration, explained. */
      readonly explained: string
    }
  | { readonly ok: false; readonly text: string }

/** Compiles a configuration for a run, and finds what is wanted of it. */
export function planRun(wish: Wish): Planned {
  const parameters = parametersOf(wish)
  if (typeof parameters === 'string') return { ok: false, text: parameters }
  const input = { parameters, values: valuesOf(wish), orbs: wish.orbs }
  const compiled = compile(wish.source, input)
  if (!compiled.ok) {
    const text = showProblems(wish.file, wish.source, compiled.problems)
    // Without workflows there is nothing to run but by its name.
    return jobAlone(wish, input, [...wish.names, ...wish.jobs]) ?? { ok: false, text }
  }
  const { plan, leftOut } = compiled
  const unused = unusedJobs(wish.source)
  const explained = printable(showPlan(plan, leftOut, wish, unused))
  const found = { ok: true, parameters, explained } as const
  const only = selectionOf(wish, plan)
  if (!only) return plan.workflows.length > 0 ? { ...found, plan, part: {} } : { ok: false, text: explained }
  // What a setup makes is not known before it has run.
  if (plan.setup) return { ...found, plan, part: { only } }
  const selected = selectFrom(plan, only)
  if (selected.ok) return { ...found, plan: selected.plan, part: { only } }
  const { name } = selected
  const out = leftOut.find(({ workflow, job }) => name === (selected.missing === 'job' ? job : workflow))
  if (out) {
    const why = `as ${reasonOf(out.why, wish)} (${wish.file}:${out.line})`
    return { ok: false, text: `Cannot run ${selected.missing} ${name}, ${why}` }
  }
  if (unused.some(({ job }) => job === name)) {
    const alone = jobAlone(wish, input, only.jobs ?? [])
    if (alone) return alone
  }
  const known = plan.workflows.flatMap((one) => [one.name, ...one.jobs.map((job) => job.name)])
  const all = [...new Set([...known, ...unused.map(({ job }) => job)])]
  const what = wish.names.includes(name) ? 'workflow or job' : selected.missing
  return {
    ok: false,
    text: printable(`Cannot find ${what} ${name} in ${wish.file}${hint(name, all)}\nThere are: ${all.join(', ')}`),
  }
}

/** A configuration that is wrong as a whole may still run one job of it. */
function jobAlone(wish: Wish, input: CompileInput, [job, ...others]: readonly string[]): Planned | undefined {
  if (job === undefined || others.length > 0 || wish.workflows.length > 0) return undefined
  const compiled = compile(wish.source, { ...input, job })
  if (!compiled.ok) return undefined
  const { plan, leftOut } = compiled
  const explained = printable(showPlan(plan, leftOut, wish))
  return { ok: true, plan, part: { job }, parameters: input.parameters, explained }
}

/** Nothing where everything is wanted. */
function selectionOf({ names, workflows, jobs, withRequires }: Wish, plan: Plan): Selection | undefined {
  const isWorkflow = (name: string) => !plan.setup && plan.workflows.some((workflow) => workflow.name === name)
  const flows = [...workflows, ...names.filter(isWorkflow)]
  const builds = [...jobs, ...names.filter((name) => !isWorkflow(name))]
  if (flows.length === 0 && builds.length === 0) return undefined
  return {
    ...(flows.length > 0 && { workflows: flows }),
    ...(builds.length > 0 && { jobs: builds }),
    withRequires,
  }
}

/** Parameters have the type of their defaults. */
function parametersOf({ source, parameters }: Wish): Parameters | string {
  const declared = declaredDefaults(source)
  const read: Record<string, string | number | boolean> = {}
  for (const written of parameters) {
    const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(written) ?? []
    if (name === undefined) return `Cannot read the parameter ${written} as it must be name=value`
    const usual = declared.get(name)
    if (typeof usual === 'boolean' && /^(true|false)$/.test(text)) read[name] = text === 'true'
    else if (typeof usual === 'number' && /^-?\d+(\.\d+)?$/.test(text)) read[name] = Number(text)
    else read[name] = text
  }
  return read
}
