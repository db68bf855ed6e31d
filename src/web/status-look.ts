import type { JobStep } from '#contract/rh/job.ts'
import type { jobStatuses } from '#contract/v2/job.ts'
import type { pipelineStates } from '#contract/v2/pipeline.ts'
import type { workflowStatuses } from '#contract/v2/workflow.ts'

/** Every word for a status that the pages show. */
export type StatusWord =
  | (typeof jobStatuses)[number]
  | (typeof workflowStatuses)[number]
  | (typeof pipelineStates)[number]
  | JobStep['status']

/** What a status means to a reader; each has a colour and a shape of its own. */
export type Tone = 'good' | 'bad' | 'busy' | 'hold' | 'wait' | 'stop' | 'idle'

/** How a status is shown: in words, and by its tone. */
export interface StatusLook {
  readonly label: string
  readonly tone: Tone
}

const look = (tone: Tone, label: string): StatusLook => ({ tone, label })

/** How each status is shown; a word that the contract adds does not compile until it has its look. */
export const statusLook: Readonly<Record<StatusWord, StatusLook>> = {
  success: look('good', 'Success'),
  running: look('busy', 'Running'),
  failing: look('bad', 'Failing'),
  failed: look('bad', 'Failed'),
  error: look('bad', 'Error'),
  errored: look('bad', 'Errored'),
  timedout: look('bad', 'Timed out'),
  infrastructure_fail: look('bad', 'Infrastructure failure'),
  'terminated-unknown': look('bad', 'Ended, nobody knows how'),
  unauthorized: look('bad', 'Unauthorized'),
  on_hold: look('hold', 'On hold'),
  queued: look('wait', 'Queued'),
  not_running: look('wait', 'Not running yet'),
  blocked: look('wait', 'Blocked'),
  waiting: look('wait', 'Waiting'),
  pending: look('wait', 'Pending'),
  'setup-pending': look('wait', 'Setup pending'),
  setup: look('busy', 'Setup'),
  created: look('idle', 'Created'),
  canceled: look('stop', 'Canceled'),
  skipped: look('idle', 'Skipped'),
  not_run: look('idle', 'Not run'),
  retried: look('idle', 'Retried'),
}

/** What stands before the title of a page, so that a tab tells how things are. */
export const toneSign: Readonly<Record<Tone, string>> = {
  good: '✓',
  bad: '✗',
  busy: '●',
  hold: '‖',
  wait: '○',
  stop: '■',
  idle: '–',
}

const order: readonly Tone[] = ['bad', 'hold', 'busy', 'wait', 'stop', 'good', 'idle']

/** The one status that stands for several: the one a reader should hear of first. */
export function worstOf(words: readonly StatusWord[]): StatusWord | undefined {
  const rank = (word: StatusWord) => order.indexOf(statusLook[word].tone)
  return words.toSorted((one, other) => rank(one) - rank(other))[0]
}
