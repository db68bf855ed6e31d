import { flakyTestsOf } from './flaky.ts'
import { allBranches } from './names.ts'
import { projectTotals } from './project-totals.ts'
import type { Source } from './source.ts'
import { projectSummary, workflowSummary } from './summaries.ts'
import { testMetrics } from './test-metrics.ts'
import { waitingOf } from './waiting.ts'
import { jobMetrics, jobSeries, workflowMetrics } from './workflow-metrics.ts'

/** What can be asked of the facts of a project. Arguments and answers are plain data: they may cross to another thread. */
export const questions = {
  allBranches,
  flakyTestsOf,
  jobMetrics,
  jobSeries,
  projectSummary,
  projectTotals,
  testMetrics,
  waitingOf,
  workflowMetrics,
  workflowSummary,
}

export type Questions = typeof questions
export type Question = keyof Questions

/** What a question wants to know beside what it is asked of. */
export type Wanted<Q extends Question> =
  Parameters<Questions[Q]> extends [Source, project: string, ...infer Rest] ? Rest : never

export type Told<Q extends Question> = Awaited<ReturnType<Questions[Q]>>

/** Answers a question here and now. */
export function answer<Q extends Question>(
  question: Q,
  source: Source,
  project: string,
  wanted: Wanted<Q>,
): Promise<Told<Q>> {
  // The three belong together by their types, which a union of functions cannot say.
  const ask = questions[question] as (source: Source, project: string, ...wanted: unknown[]) => Promise<Told<Q>>
  return ask(source, project, ...wanted)
}
