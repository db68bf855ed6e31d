import { isEnded } from '#cli/job-status.ts'
import type { JobPage } from '#contract/rh/job.ts'
import type { JobTest } from '#contract/v2/job.ts'
import type { WorkflowJob } from '#contract/v2/workflow.ts'
import { inColour } from './board.ts'
import type { Kept } from './results.ts'
import { calmLine, duration } from './terminal-text.ts'

/** Whether a job ended in a way that somebody should look at. */
export const isBad = (status: WorkflowJob['status']): boolean =>
  isEnded(status) && status !== 'success' && status !== 'not_run' && status !== 'canceled' && status !== 'retried'

/** How a line about jobs is written. */
export interface Style {
  readonly colours: boolean
  /** Of the longest name. */
  readonly width: number
  readonly now: number
}

/** The one line of a job. */
export function jobLine(job: WorkflowJob, name: string, more: string, { colours, width, now }: Style): string {
  const from = job.started_at === null ? undefined : Date.parse(job.started_at)
  const until = job.stopped_at === null ? now : Date.parse(job.stopped_at)
  const isBuild = job.type === 'build' && from !== undefined
  const time = isBuild ? duration(until - from) : ''
  const words = [time.padEnd(6), wordOf(job), more].filter((word) => word.trim() !== '').join('  ')
  return `${mark(job, colours)} ${calmLine(name, false).padEnd(width)}  ${words}`.trimEnd()
}

function mark({ status }: WorkflowJob, colours: boolean): string {
  if (status === 'success') return inColour(colours, 'good', '✓')
  if (isBad(status)) return inColour(colours, 'bad', '✗')
  if (status === 'running') return inColour(colours, 'busy', '●')
  return inColour(colours, 'faint', isEnded(status) ? '-' : '○')
}

/** A word where the mark alone does not say it. */
function wordOf({ status, type }: WorkflowJob): string {
  if (status === 'success') return type === 'approval' ? 'approved' : ''
  if (status === 'running' || status === 'failed') return ''
  return status.replaceAll(/[_-]/g, ' ')
}

/** What an ended job left behind, in a few words. */
export function leftBehind({ artifacts, tests }: Kept): string {
  const failed = tests.filter(({ result }) => result === 'failure' || result === 'error').length
  const told = [
    ...(tests.length > 0 ? [`${tests.length} ${tests.length === 1 ? 'test' : 'tests'}`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(artifacts > 0 ? [`${artifacts} ${artifacts === 1 ? 'artifact' : 'artifacts'}`] : []),
  ]
  return told.join(', ')
}

/** The tests that failed, a line each, and no more than a person reads. */
export function failedTests(tests: readonly JobTest[]): readonly string[] {
  const failed = tests.filter(({ result }) => result === 'failure' || result === 'error')
  const shown = failed
    .slice(0, 10)
    .map(({ classname, name }) => `failed test: ${[classname, name].filter(Boolean).join(' ')}`)
  return failed.length > 10 ? [...shown, `and ${failed.length - 10} more failed tests`] : shown
}

/** The step that a running job is at. */
export function currentStep(page: JobPage): string {
  const step = page.steps.findLast(({ status }) => status === 'running')
  const many =
    page.nodes.length > 1
      ? `${page.nodes.filter(({ status }) => isEnded(status)).length}/${page.nodes.length} nodes  `
      : ''
  return many + (step?.name ?? '')
}
