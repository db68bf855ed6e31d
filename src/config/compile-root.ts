import type { Plan } from '#core/plan.ts'
import type { CompileInput } from './compile-input.ts'
import { checkJobNames } from './definitions/job-names.ts'
import { libraryOf, type OrbTexts, plainLibraryOf } from './definitions/orbs.ts'
import { missingLibrary } from './definitions/library.ts'
import { type Compilation, type Scope, usualBudget } from './definitions/scope.ts'
import { emitCompiled } from './emit.ts'
import { isSetup } from './pipeline/declared.ts'
import { lookupOf, namesOf } from './pipeline/lookup.ts'
import { pipelineParameters } from './pipeline/parameters.ts'
import { asText } from './read.ts'
import { notBuiltOf } from './not-built.ts'
import { hasNoTests, upgrade } from './one-point-o/upgrade.ts'
import { likenessOfJobs } from './same-job.ts'
import { blame, type Trail } from './trail.ts'
import { expandWorkflows } from './workflows/expand-workflows.ts'
import type { ExpandedWorkflow } from './workflows/invocation.ts'
import { type Bodies, planWorkflow } from './workflows/plan-workflow.ts'
import { readTriggers } from './workflows/triggers.ts'
import { withUniqueNames } from './workflows/unique-names.ts'
import { get, type MapNode } from './yaml/node.ts'

/** The plan of a configuration, and its compiled text. Problems are noted on the way. */
export function compileRoot(
  written: MapNode,
  version: Plan['version'],
  input: CompileInput,
  orbs: OrbTexts,
  trail: Trail,
): { readonly plan: Plan; readonly text: () => string } {
  const ref = { branch: valueOf(input, 'git.branch'), tag: valueOf(input, 'git.tag') }
  const root = version === '1.0' ? upgrade(written, ref, valueOf(input, 'git.repo_owner'), trail) : written
  const scope = scopeOf(root, version, input, orbs, trail)
  const expanded = withUniqueNames(expandWorkflows(root, scope, ref, input.job, trail), likenessOfJobs())
  const bodies: Bodies = new Map()
  const planned = expanded.map((workflow) => ({ workflow, plan: planWorkflow(workflow, bodies, trail) }))
  const workflows = planned
    .filter(({ workflow }) => itsTime(workflow, input.scheduled, trail))
    .map(({ plan }) => plan)
    .filter((plan) => plan !== undefined)
  const setup = isSetup({ root })
  if (setup && workflows.length > 1) {
    const names = workflows.map(({ name }) => name).join(', ')
    blame(trail, get(root, 'workflows'), `Cannot run more than one workflow of a setup configuration: ${names}`)
  }
  blameContexts(expanded, trail)
  const schedules = expanded.flatMap(({ name, triggers }) => readTriggers(name, triggers, trail))
  const notify = readNotify(root, trail)
  const notBuilt = workflows.length === 0 ? notBuiltOf(written, version, ref, trail) : undefined
  return {
    plan: {
      version,
      setup,
      workflows,
      notify,
      ...(schedules.length > 0 && { schedules }),
      ...(notBuilt && { notBuilt }),
      ...(version === '1.0' && hasNoTests(written, trail) && { noTests: true }),
    },
    text: () => emitCompiled(expanded, headOf(setup, notify)),
  }
}

function scopeOf(root: MapNode, version: Plan['version'], input: CompileInput, orbs: OrbTexts, trail: Trail): Scope {
  const templates = version === '2.1'
  if (templates) checkJobNames(root, trail)
  const parameters = pipelineParameters(templates ? root : emptyOf(root), input.parameters, trail)
  const compilation: Compilation = {
    templates,
    pipeline: lookupOf(input.values, parameters),
    pipelineNames: () => namesOf(parameters),
    origins: new WeakMap(),
    settled: new WeakSet(),
    expanded: new Map(),
    budget: { left: usualBudget },
  }
  const scope: Scope = { compilation, library: missingLibrary, parameters: undefined, calls: [] }
  const registry = input.orbs ?? (() => undefined)
  return { ...scope, library: templates ? libraryOf(root, registry, orbs, scope, trail) : plainLibraryOf(root, trail) }
}

const mostContexts = 100

function blameContexts(workflows: readonly ExpandedWorkflow[], trail: Trail): void {
  const all = new Set(workflows.flatMap(({ invocations }) => invocations.flatMap(({ contexts }) => contexts)))
  if (all.size > mostContexts)
    blame(trail, undefined, `Cannot use more than ${mostContexts} contexts in one configuration: ${all.size} are named`)
}

/** A workflow with times of its own runs at those, and no other beside it. */
function itsTime({ name, triggers, place }: ExpandedWorkflow, scheduled: string | undefined, trail: Trail): boolean {
  const runs = triggers ? name === scheduled : scheduled === undefined
  const why = { type: triggers ? 'schedule' : 'not-scheduled' } as const
  if (!runs) trail.notes.leftOut.push({ workflow: name, line: place.line, why })
  return runs
}

/** Version 2 knows no parameters, whatever stands under that key. */
const emptyOf = (root: MapNode): MapNode => ({ ...root, entries: new Map() })

function valueOf({ values }: CompileInput, name: string): string | undefined {
  const value = values[name]
  return value === undefined || value === '' ? undefined : String(value)
}

function readNotify(root: MapNode, trail: Trail): readonly string[] {
  const webhooks = get(get(root, 'notify'), 'webhooks')
  if (webhooks?.kind !== 'list') return []
  const urls = webhooks.items.map((item) => get(item, 'url')).filter((url) => url !== undefined)
  return urls.map((url) => asText(url, trail, 'url')).filter((url) => url !== undefined)
}

/** What the compiled form keeps of the top of a configuration. */
function headOf(setup: boolean, notify: readonly string[]) {
  return {
    ...(setup && { setup }),
    ...(notify.length > 0 && { notify: { webhooks: notify.map((url) => ({ url })) } }),
  }
}
