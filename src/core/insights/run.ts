/** How a run ended, as insights count it; `open`: it has not. In columns a status is its place here, so none may move. */
export const runStatuses = ['success', 'failed', 'error', 'canceled', 'unauthorized', 'open'] as const

export type RunStatus = (typeof runStatuses)[number]

/** One run of a workflow or of a job, as far as numbers about many of them are concerned. */
export interface Run {
  /** When it began, in milliseconds since 1970. */
  readonly started: number
  /** In milliseconds; none where it has not ended, or never began. */
  readonly duration: number | null
  readonly status: RunStatus
  /** In thousandths, so that sums of small amounts stay right. */
  readonly credits: number
  /** Empty where it ran for a tag. */
  readonly branch: string
}

/** The status under which insights count a workflow or a job that ended. */
export function countedAs(status: string): RunStatus {
  switch (status) {
    case 'success':
    case 'canceled':
    case 'unauthorized':
    case 'error':
      return status
    case 'failed':
    case 'timedout':
      return 'failed'
    // The service could not do it: nobody's code failed.
    case 'infrastructure_fail':
    case 'retried':
      return 'error'
    case 'not_run':
      return 'canceled'
    default:
      return 'open'
  }
}
