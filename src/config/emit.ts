import type { ExpandedJob } from './expanded-job.ts'
import type { BareStep } from './steps/read-step.ts'
import type { ExpandedWorkflow, Invocation } from './workflows/invocation.ts'
import type { Requirement } from './workflows/requires.ts'
import { type Data, emitYaml, type Fields } from './yaml/emit-yaml.ts'
import type { Node } from './yaml/node.ts'

/** The compiled configuration as text: version 2, only what can be reached, nothing left to resolve (§A14). */
export function emitCompiled(workflows: readonly ExpandedWorkflow[], head: Fields): string {
  const jobs = new Map<string, Data>()
  for (const { invocations } of workflows) {
    for (const invocation of invocations) {
      if (invocation.kind !== 'approval' && !jobs.has(invocation.name)) jobs.set(invocation.name, jobData(invocation))
    }
  }
  const flows = new Map<string, Data>([['version', 2]])
  for (const workflow of workflows) flows.set(workflow.name, workflowData(workflow))
  return emitYaml({ version: 2, ...head, jobs, workflows: flows })
}

function jobData({ kind, key, planName, job }: Invocation): Data {
  if (job) return bodyData(job)
  return { type: kind, key, plan_name: planName }
}

function bodyData({ map, steps }: ExpandedJob): Data {
  const data = new Map(mapData(map.entries))
  const step = ({ name, body }: BareStep) => (body.entries.size === 0 ? name : new Map([[name, mapData(body.entries)]]))
  return data.set('steps', steps.map(step))
}

function workflowData({ invocations, maxAutoReruns, triggers }: ExpandedWorkflow): Data {
  return {
    triggers: triggers && dataOf(triggers),
    max_auto_reruns: maxAutoReruns,
    jobs: invocations.map((invocation) => invocationData(invocation, invocations)),
  }
}

function invocationData(invocation: Invocation, all: readonly Invocation[]): Data {
  const { name, kind, requires, contexts, filters } = invocation
  const said = {
    type: kind === 'approval' ? kind : undefined,
    requires: requires.length > 0 ? requires.flatMap((need) => requirementData(need, invocation, all)) : undefined,
    filters: filters && dataOf(filters),
    context: contexts.length > 0 ? contexts : undefined,
  }
  return Object.values(said).some((value) => value !== undefined) ? new Map([[name, said]]) : name
}

/** A name that stands for several jobs becomes their names. */
function requirementData({ target, on }: Requirement, self: Invocation, all: readonly Invocation[]): readonly Data[] {
  const others = all.filter((other) => other !== self)
  const own = others.filter((other) => other.answersTo[0] === target)
  const found = own.length > 0 ? own : others.filter((other) => other.answersTo.includes(target))
  const plain = on.length === 1 && on[0] === 'success'
  return found.map(({ name }) => (plain ? name : new Map([[name, on]])))
}

function mapData(entries: ReadonlyMap<string, { readonly value: Node }>): ReadonlyMap<string, Data> {
  return new Map([...entries].map(([key, { value }]) => [key, dataOf(value)]))
}

/** A node as plain data. A number keeps the form it was written in: `13.0` is not `13`. */
export function dataOf(node: Node): Data {
  switch (node.kind) {
    case 'list':
      return node.items.map(dataOf)
    case 'map':
      return mapData(node.entries)
    case 'scalar':
      return typeof node.value === 'number' && String(node.value) !== node.text ? node.text : node.value
  }
}
