import type { Plan } from '#core/plan.ts'
import { type Compilation, type Scope, TooLarge, usualBudget } from './definitions/scope.ts'
import { emptyLibrary, type Library } from './definitions/library.ts'
import { bodyData, emitCompiled } from './emit.ts'
import { parse, type Parsed } from './parse.ts'
import type { Problem } from './problem.ts'
import { asMap, asText } from './read.ts'
import { blame, newTrail, type Trail, within } from './trail.ts'
import { expandInvocation } from './workflows/expand-invocation.ts'
import { expandWorkflow, implicitName } from './workflows/expand-workflow.ts'
import { type NameFilter, nameFilterPasses, readNameFilter, type Ref } from './workflows/filters.ts'
import type { ExpandedWorkflow } from './workflows/invocation.ts'
import { planWorkflow } from './workflows/plan-workflow.ts'
import { withUniqueNames } from './workflows/unique-names.ts'
import { get, isNull, type MapNode, mapNode, type Node } from './yaml/node.ts'

/** What a pipeline brings to its configuration. */
export interface CompileInput {
  /** Pipeline parameters given at the trigger. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  /** Pipeline values by name without the `pipeline.` prefix: `id`, `git.branch`, `trigger_source`. */
  readonly values: Readonly<Record<string, string | number | boolean | undefined>>
  /** Runs this job alone, whatever the workflows say: a trigger of generation 1.1. */
  readonly job?: string
  /** Source text of a registry orb. */
  readonly orbs?: (reference: string) => string | undefined
}

/** A plan, or everything that is wrong. */
export type Compiled =
  | { readonly ok: true; readonly plan: Plan; readonly text: string }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Compiles a configuration for one pipeline. Any text whatsoever yields a result; nothing is thrown. */
export function compile(source: string, input: CompileInput): Compiled {
  return compileParsed(parse(source), input)
}

/** The version a configuration declares, if it declares one that we know. */
export function declaredVersion(source: string): '1.0' | '2' | '2.1' | undefined {
  return parse(source).version
}

/** Compiles a configuration that was parsed before, for one more pipeline. */
export function compileParsed({ problems, version, root }: Parsed, input: CompileInput): Compiled {
  const trail = newTrail()
  trail.problems.push(...problems)
  if (!version || !root) return { ok: false, problems: trail.problems }
  try {
    const compiled = compileRoot(root, version, input, trail)
    return trail.problems.length > 0 ? { ok: false, problems: trail.problems } : compiled
  } catch (error) {
    if (!(error instanceof TooLarge || error instanceof RangeError)) throw error
    blame(
      trail,
      undefined,
      error instanceof TooLarge ? error.message : 'Cannot compile configuration: it is nested too deeply',
    )
    return { ok: false, problems: trail.problems }
  }
}

function compileRoot(root: MapNode, version: Plan['version'], input: CompileInput, trail: Trail): Compiled {
  const scope: Scope = {
    compilation: newCompilation(version),
    library: libraryOf(root, trail),
    parameters: undefined,
    calls: [],
  }
  const ref = { branch: refOf(input, 'git.branch'), tag: refOf(input, 'git.tag') }
  const expanded = withUniqueNames(expandWorkflows(root, scope, ref, input, trail), (invocation) =>
    invocation.job ? JSON.stringify(bodyData(invocation.job)) : `${invocation.kind} ${invocation.key}`,
  )
  const workflows = expanded
    .map((workflow) => planWorkflow(workflow, trail))
    .filter((workflow) => workflow !== undefined)
  const setup = get(root, 'setup')
  const plan: Plan = {
    version,
    setup: setup?.kind === 'scalar' && setup.value === true,
    workflows,
    notify: readNotify(root, trail),
  }
  return { ok: true, plan, text: trail.problems.length > 0 ? '' : emitCompiled(expanded, {}) }
}

function newCompilation(version: Plan['version']): Compilation {
  return {
    templates: version === '2.1',
    pipeline: () => undefined,
    pipelineNames: () => [],
    origins: new WeakMap(),
    settled: new WeakSet(),
    budget: { left: usualBudget },
  }
}

function libraryOf(root: MapNode, trail: Trail): Library {
  const jobs = get(root, 'jobs')
  const map = jobs && !isNull(jobs) ? asMap(jobs, trail, 'jobs') : undefined
  return { ...emptyLibrary, jobs: new Map([...(map?.entries ?? [])].map(([name, { value }]) => [name, value])) }
}

function refOf({ values }: CompileInput, name: string): string | undefined {
  const value = values[name]
  return value === undefined || value === '' ? undefined : String(value)
}

function expandWorkflows(
  root: MapNode,
  scope: Scope,
  ref: Ref,
  input: CompileInput,
  trail: Trail,
): readonly ExpandedWorkflow[] {
  const node = get(root, 'workflows')
  if (input.job !== undefined) return loneJob(input.job, root, scope, {}, trail)
  if (!node || isNull(node)) return implicitWorkflow(root, scope, ref, trail)
  const map = asMap(node, trail, 'workflows')
  return [...(map?.entries ?? [])]
    .filter(([name]) => name !== 'version')
    .map(([name, { value }]) => expandWorkflow(name, value, scope, ref, trail))
    .filter((workflow) => workflow !== undefined)
}

function implicitWorkflow(root: MapNode, scope: Scope, ref: Ref, trail: Trail): readonly ExpandedWorkflow[] {
  if (scope.library.jobs.has('build')) return loneJob('build', root, scope, ref, trail)
  const jobs: Node | undefined = get(root, 'jobs')
  blame(
    trail,
    jobs ?? root,
    "Cannot find a job named `build` to run in the `jobs:` section of your configuration file.\nIf you expected a workflow to run, check your config contains a top-level key called 'workflows:'",
  )
  return []
}

function loneJob(
  job: string,
  root: MapNode,
  scope: Scope,
  ref: Partial<Ref>,
  trail: Trail,
): readonly ExpandedWorkflow[] {
  const written = { job, map: mapNode(new Map(), root), place: get(get(root, 'jobs'), job) ?? root }
  const here = within(trail, `workflow: ${implicitName}`)
  const branches = readNameFilter(get(get(get(root, 'jobs'), job), 'branches'), here)
  const runs = ref.branch === undefined || nameFilterPasses(legacy(branches), ref.branch)
  const invocations = expandInvocation(written, scope, { branch: ref.branch, tag: undefined }, here).map((each) => ({
    ...each,
    runs,
  }))
  return invocations.length > 0 ? [{ name: implicitName, invocations, triggers: undefined, place: written.place }] : []
}

/** In a job's own `branches`, unlike in a workflow's filters, `ignore` decides where both are given (§A3). */
function legacy(filter: NameFilter | undefined): NameFilter | undefined {
  return filter?.ignore ? { ignore: filter.ignore } : filter
}

function readNotify(root: MapNode, trail: Trail): readonly string[] {
  const webhooks = get(get(root, 'notify'), 'webhooks')
  if (webhooks?.kind !== 'list') return []
  return webhooks.items
    .map((item) => get(item, 'url'))
    .filter((url) => url !== undefined)
    .map((url) => asText(url, trail, 'url'))
    .filter((url) => url !== undefined)
}
