/** How one step of a job stands. */
export type StepStatus = 'running' | 'success' | 'failed' | 'timedout' | 'canceled' | 'skipped' | 'infrastructure_fail'

/** The status of an action in generation 1.1 (§2.2). */
export type ActionWord = 'running' | 'success' | 'failed' | 'timedout' | 'canceled' | 'infrastructure_fail'

/** What generation 1.1 calls the status of a step; nothing of one that was skipped, which has no action. */
export const actionWord: Readonly<Record<StepStatus, ActionWord | undefined>> = {
  running: 'running',
  success: 'success',
  failed: 'failed',
  // Recorded from clients: a step that ran out of time is not failed as well.
  timedout: 'timedout',
  canceled: 'canceled',
  infrastructure_fail: 'infrastructure_fail',
  skipped: undefined,
}
