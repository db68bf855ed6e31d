import { assertNever, between, type Instant } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import type { PipelineId, ProjectId, UserId } from './ids.ts'

/** Where a pipeline stands. `created` says that its workflows exist, and nothing of how they end. */
export type PipelineState = 'pending' | 'created' | 'errored' | 'setup-pending' | 'setup'

/** What kind of thing kept a pipeline from being created. */
export type PipelineErrorType = 'config' | 'config-fetch' | 'timeout' | 'permission' | 'other' | 'plan'

/** Why a pipeline has no workflows. */
export interface PipelineError {
  readonly type: PipelineErrorType
  readonly message: string
}

/** What made a pipeline: a push, an API call, somebody's hand, a schedule. */
export type TriggerType = 'webhook' | 'api' | 'explicit' | 'scheduled_pipeline'

/** What made a pipeline, when, and in whose name. */
export interface Trigger {
  readonly type: TriggerType
  readonly receivedAt: Instant
  readonly actor: UserId
}

/** What a pipeline builds: one revision, found by a branch or by a tag, never both. */
export interface Target {
  readonly revision: string
  readonly branch?: string
  readonly tag?: string
}

/** A value that a pipeline can be given. */
export type ParameterValue = string | number | boolean

/** One run of a project's configuration. */
export interface Pipeline {
  readonly id: PipelineId
  readonly project: ProjectId
  /** Counted from 1 in each project, without a gap. */
  readonly number: number
  readonly state: PipelineState
  readonly errors: readonly PipelineError[]
  readonly trigger: Trigger
  readonly target: Target
  readonly parameters: Readonly<Record<string, ParameterValue>>
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** When its setup gave it the configuration it now has; at most once. */
  readonly continuedAt?: Instant
}

/** Everything that can be done to a pipeline. */
export type PipelineCommand =
  /** Its configuration was compiled: it has its workflows, or (`setup`) the one that will make another configuration. */
  | { readonly type: 'create'; readonly setup: boolean }
  | { readonly type: 'fail'; readonly errors: readonly PipelineError[] }
  /** Its setup found what to do next; that configuration is still to be compiled. */
  | { readonly type: 'continue' }

const sixHours = 6 * 60 * 60 * 1000

/** What a command makes of a pipeline. Pure: the caller brings the time and keeps the result. */
export function decidePipeline(before: Pipeline, command: PipelineCommand, at: Instant): Pipeline {
  switch (command.type) {
    case 'create':
      return { ...before, state: moved(before, command.setup ? 'setup' : 'created'), updatedAt: at }
    case 'fail':
      return {
        ...before,
        state: moved(before, 'errored'),
        errors: [...before.errors, ...command.errors],
        updatedAt: at,
      }
    case 'continue':
      if (before.state !== 'setup') throw new Refusal('conflict', 'Pipeline is not in setup state.')
      if (between(before.createdAt, at) > sixHours) {
        throw new Refusal('conflict', 'Continuation key has expired. Please run a new pipeline.')
      }
      return { ...before, state: 'pending', updatedAt: at, continuedAt: at }
    default:
      return assertNever(command)
  }
}

const moves: Readonly<Record<PipelineState, readonly PipelineState[]>> = {
  pending: ['created', 'errored', 'setup', 'setup-pending'],
  'setup-pending': ['setup', 'errored', 'created'],
  setup: ['errored'],
  created: [],
  errored: [],
}

function moved(pipeline: Pipeline, to: PipelineState): PipelineState {
  // What a setup made cannot be another setup: it would never end.
  const allowed = moves[pipeline.state].includes(to) && !(to === 'setup' && pipeline.continuedAt !== undefined)
  if (!allowed) throw new Refusal('conflict', `Cannot make pipeline ${pipeline.id} ${to}: it is ${pipeline.state}`)
  return to
}

/** The number of a project's next pipeline, given the highest it has. */
export const nextNumber = (highest: number | undefined): number => (highest ?? 0) + 1

const skip = /\[(?:ci skip|skip ci)\]/i

/** Whether a commit asks for no pipeline at all, in the first 250 characters of its title or of its body. */
export const skipsCi = (subject: string, body: string): boolean =>
  skip.test(subject.slice(0, 250)) || skip.test(body.slice(0, 250))
