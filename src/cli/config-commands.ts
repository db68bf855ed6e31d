import { withOrbs, withOriginal } from '#config/annotate.ts'
import { compile, type Compiled } from '#config/compile.ts'
import type { CompileInput } from '#config/compile-input.ts'
import { unusedJobs } from '#config/unused-jobs.ts'
import { printable } from './printable.ts'
import { showPlan } from './show-plan.ts'
import { showProblems } from './show-problems.ts'
import type { PipelineParameters } from './pipeline-parameters.ts'

/** A configuration, and the pipeline it is looked at for. */
export interface Question {
  readonly file: string
  readonly source: string
  readonly branch: string | undefined
  readonly tag: string | undefined
  readonly parameters: PipelineParameters
  readonly orbs: NonNullable<CompileInput['orbs']>
}

/** What a command prints: answers go to standard output, problems to standard error. */
export type Answer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly text: string }

/** `config validate`: whether there is anything wrong. */
export function validate(question: Question): Answer {
  return answer(question, () => `${question.file} is valid.`)
}

/** `config process`: the compiled configuration, and what it came from. */
export function processConfig(question: Question): Answer {
  return answer(question, ({ text, orbs }) => withOriginal(withOrbs(text, orbs), question.source).trimEnd())
}

/** `config explain`: what would run, and why the rest would not. */
export function explain(question: Question): Answer {
  return answer(question, ({ plan, leftOut }) =>
    printable(showPlan(plan, leftOut, question, unusedJobs(question.source))),
  )
}

type Success = Extract<Compiled, { readonly ok: true }>

function answer(question: Question, tell: (compiled: Success) => string): Answer {
  const { file, source, parameters, orbs } = question
  const compiled = compile(source, { parameters, values: valuesOf(question), orbs })
  return compiled.ok
    ? { ok: true, text: tell(compiled) }
    : { ok: false, text: showProblems(file, source, compiled.problems) }
}

/** Enough of a pipeline for a configuration to be compiled without one. */
export function valuesOf({ branch, tag }: Pick<Question, 'branch' | 'tag'>): CompileInput['values'] {
  return {
    id: '00000000-0000-0000-0000-000000000001',
    number: 1,
    'git.branch': branch,
    'git.tag': tag,
    'git.revision': '0'.repeat(40),
    'project.type': 'github',
    'project.git_url': 'https://example.com/example/example',
    'project.slug': 'gh/example/example',
    trigger_source: 'webhook',
    in_setup: false,
  }
}
