import type { JobSpec, StepSpec } from '#contract/agent.ts'
import type { finishJob } from '#contract/agent/report.ts'
import type { Input } from '#contract/endpoint.ts'
import { assertNever } from '#kit/brand.ts'
import type { StepEnd, Stop } from './job-folder.ts'

type Finish = Input<typeof finishJob>['body']
/** How a job ended, and why where its steps do not say it. */
export type Outcome = Pick<Finish, 'outcome' | 'reason'>

/** Whether a step is run, given that an earlier one has failed or not (A6). */
export function isDue(when: StepSpec['when'], failing: boolean): boolean {
  switch (when) {
    case 'always':
      return true
    case 'on_success':
      return !failing
    case 'on_fail':
      return failing
    default:
      return assertNever(when)
  }
}

/** How the step that was running when its job was stopped is shown. */
export function stoppedStatus(stop: Stop): StepEnd['status'] {
  switch (stop.type) {
    case 'canceled':
      return 'canceled'
    case 'time-limit':
    case 'no-output':
      return 'timedout'
    case 'fenced':
    case 'lost':
      return 'infrastructure_fail'
    default:
      return assertNever(stop)
  }
}

/** How a job ended that was stopped. */
export function stoppedOutcome(
  stop: Stop,
  { steps, time_limit_ms }: Pick<JobSpec, 'steps' | 'time_limit_ms'>,
): Outcome {
  switch (stop.type) {
    case 'canceled':
      return { outcome: 'canceled', reason: null }
    case 'time-limit':
      return { outcome: 'timedout', reason: `The job was stopped as it ran longer than ${span(time_limit_ms)}` }
    case 'no-output': {
      const step = steps[stop.step]
      const long = step && 'no_output_timeout_ms' in step ? span(step.no_output_timeout_ms) : 'too long'
      const which = calledStep(steps, stop.step)
      return { outcome: 'timedout', reason: `The job was stopped as ${which} wrote nothing for ${long}` }
    }
    case 'fenced':
    case 'lost':
      return { outcome: 'infrastructure_fail', reason: 'The agent stopped the job as it could not renew its lease' }
    default:
      return assertNever(stop)
  }
}

/** Longer names are those of steps whose name is their command. */
const longestName = 100

/** A step as people know it: by its name, of which the first line is enough. */
export function calledStep(steps: readonly StepSpec[], index: number): string {
  const [line = ''] = (steps[index]?.name ?? '').trim().split('\n')
  const name = line.length > longestName ? `${line.slice(0, longestName)}...` : line
  return name === '' ? `step ${index + 1}` : `step "${name}"`
}

/** A span of time as Go writes it: `10m0s`. */
export function span(ms: number): string {
  const seconds = ms / 1000
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    Number((seconds % 60).toFixed(3)),
  ]
  if (hours > 0) return `${hours}h${minutes}m${rest}s`
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`
}
