/* The small language that the tests of this room are written in. */

import type { JobBody, Plan, PlannedWorkflow, Step } from '#core/plan.ts'
import { compile, type CompileInput } from './compile.ts'

/** What a test says about its pipeline. */
export type Given = Partial<CompileInput>

const onMain = { 'git.branch': 'main' }

/** The plan of a configuration that must compile; on branch `main` unless told otherwise. */
export function planOf(source: string, given: Given = {}): Plan {
  const compiled = compile(source, { parameters: {}, values: onMain, ...given })
  if (compiled.ok) return compiled.plan
  throw new Error(`Cannot compile: ${JSON.stringify(compiled.problems, undefined, 2)}`)
}

/** The problems of a configuration, one line each: `4:5 workflow: w > job: build | what is wrong`. */
export function problemsOf(source: string, given: Given = {}): readonly string[] {
  const compiled = compile(source, { parameters: {}, values: onMain, ...given })
  if (compiled.ok) return []
  return compiled.problems.map(({ line, column, path, message }) => {
    const place = line === undefined ? '' : `${line}:${column} `
    return `${place}${path.join(' > ')} | ${message.split('\n')[0]}`
  })
}

/** The first messages of a configuration's problems, without places. */
export const messagesOf = (source: string, given: Given = {}): readonly string[] =>
  problemsOf(source, given).map((line) => line.slice(line.indexOf('| ') + 2))

/** The body of a job, which must be in the plan. */
export function bodyOf(plan: Plan, job = 'build'): JobBody {
  const found = plan.workflows.flatMap(({ jobs }) => jobs).find(({ name }) => name === job)
  if (found?.body) return found.body
  throw new Error(`Cannot find job ${job} in ${JSON.stringify(storyOf(plan))}`)
}

/** The commands that a job runs; other steps by their type. */
export const commandsOf = (plan: Plan, job = 'build'): readonly string[] => bodyOf(plan, job).steps.map(commandOf)

const commandOf = (step: Step): string => (step.type === 'run' || step.type === 'deploy' ? step.command : step.type)

/** Every workflow as text: `main: build, test(build), hold?(test=failed)`. */
export const storyOf = (plan: Plan): readonly string[] => plan.workflows.map(workflowStory)

function workflowStory({ name, jobs }: PlannedWorkflow): string {
  const told = jobs.map((job) => {
    const needs = job.needs.map(({ job: needed, on }) =>
      on.join() === 'success' ? needed : `${needed}=${on.join('/')}`,
    )
    const mark = { build: '', approval: '?', 'no-op': '.', lock: '+', unlock: '-', release: '^' }[job.kind]
    return `${job.name}${mark}${needs.length > 0 ? `(${needs.join(' ')})` : ''}`
  })
  return `${name}: ${told.join(', ')}`
}

/** A configuration of version 2.1 whose job `build` has these steps, after other top-level text. */
export function withSteps(steps: string, rest = ''): string {
  return `version: 2.1\n${rest}\njobs:\n  build:\n    docker: [{image: alpine}]\n    steps:\n${indent(steps, 6)}\n`
}

/** A configuration of version 2.1 with plain jobs of these names, and this text as its workflow `main`. */
export function withWorkflow(jobs: readonly string[], workflow: string, rest = ''): string {
  const bodies = jobs.map((name) => `  ${name}: {docker: [{image: alpine}], steps: [{run: ${name}}]}`)
  return `version: 2.1\n${rest}\njobs:\n${bodies.join('\n')}\nworkflows:\n  main:\n${indent(workflow, 4)}\n`
}

/** A text moved to the right. */
export function indent(text: string, by: number): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(by) + line))
    .join('\n')
}
