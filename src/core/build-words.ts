import type { JobStatus } from './job.ts'

/** How far a build of generation 1.1 has come (§2.2). */
export type Lifecycle = 'queued' | 'not_run' | 'not_running' | 'running' | 'finished'

/** How a build of generation 1.1 ended (§2.2); `no_tests` is the success of a configuration of version 1.0 that has none to run. */
export type BuildOutcome = 'canceled' | 'infrastructure_fail' | 'timedout' | 'failed' | 'no_tests' | 'success'

/** Lifecycle and outcome in one word (§2.2). */
export type BuildStatus = Lifecycle | BuildOutcome | 'retried' | 'fixed'

/** The three words by which generation 1.1 tells the status of a job. */
export interface BuildWords {
  readonly lifecycle: Lifecycle
  readonly outcome: BuildOutcome | undefined
  readonly status: Exclude<BuildStatus, 'finished'>
}

/** What the words of a build depend on beside the job's own status. */
export interface BuildPast {
  /** Why no build was made (`ci-skip`, `no-followers`, ...). */
  readonly dontBuild?: string
  /** How the build of the same job before it on the same branch ended. */
  readonly previous?: BuildOutcome
  /** Its configuration has no test to run. */
  readonly noTests?: boolean
}

/** The words of generation 1.1 for a job. */
export function buildWords(status: JobStatus, { dontBuild, previous, noTests }: BuildPast = {}): BuildWords {
  if (dontBuild !== undefined) return words.not_run
  if (status === 'success' && noTests) return { lifecycle: 'finished', outcome: 'no_tests', status: 'no_tests' }
  if (status === 'success' && previous !== undefined && broken[previous]) return { ...words.success, status: 'fixed' }
  return words[status]
}

const words: Readonly<Record<JobStatus, BuildWords>> = {
  blocked: { lifecycle: 'not_running', outcome: undefined, status: 'not_running' },
  on_hold: { lifecycle: 'not_running', outcome: undefined, status: 'not_running' },
  queued: { lifecycle: 'queued', outcome: undefined, status: 'queued' },
  running: { lifecycle: 'running', outcome: undefined, status: 'running' },
  not_run: { lifecycle: 'not_run', outcome: undefined, status: 'not_run' },
  // Generation 1.1 knows no contexts: a job that was refused them is one that was not run.
  unauthorized: { lifecycle: 'not_run', outcome: undefined, status: 'not_run' },
  retried: { lifecycle: 'finished', outcome: 'infrastructure_fail', status: 'retried' },
  success: { lifecycle: 'finished', outcome: 'success', status: 'success' },
  failed: { lifecycle: 'finished', outcome: 'failed', status: 'failed' },
  canceled: { lifecycle: 'finished', outcome: 'canceled', status: 'canceled' },
  infrastructure_fail: { lifecycle: 'finished', outcome: 'infrastructure_fail', status: 'infrastructure_fail' },
  timedout: { lifecycle: 'finished', outcome: 'timedout', status: 'timedout' },
}

/** Whether a success after it is a repair. A canceled build says nothing about the code. */
const broken: Readonly<Record<BuildOutcome, boolean>> = {
  failed: true,
  timedout: true,
  infrastructure_fail: true,
  no_tests: true,
  canceled: false,
  success: false,
}
