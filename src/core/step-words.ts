/** How one step of a job stands. */
export type StepStatus = 'running' | 'success' | 'failed' | 'timedout' | 'canceled' | 'skipped' | 'infrastructure_fail'

/** How generation 1.1 tells the status of an action (§2.2): a word and four marks, each absent unless it is so. */
export interface ActionWords {
  readonly status: Exclude<StepStatus, 'skipped'>
  readonly failed?: true
  readonly timedout?: true
  readonly canceled?: true
  readonly infrastructureFail?: true
}

/** The words of generation 1.1 for a step; nothing of a step that was skipped, which has no action. */
export const actionWords: Readonly<Record<StepStatus, ActionWords | undefined>> = {
  running: { status: 'running' },
  success: { status: 'success' },
  failed: { status: 'failed', failed: true },
  // Recorded from clients: a step that ran out of time is not marked as failed.
  timedout: { status: 'timedout', timedout: true },
  canceled: { status: 'canceled', canceled: true },
  infrastructure_fail: { status: 'infrastructure_fail', infrastructureFail: true },
  skipped: undefined,
}
