import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Time } from '#contract/endpoint.ts'

/** What part of a build an action belongs to. */
export const actionTypes = [
  'infrastructure',
  'machine',
  'checkout',
  'dependencies',
  'database',
  'test',
  'deployment',
  'teardown',
] as const

/** How an action stands. */
export const actionStatuses = ['running', 'success', 'failed', 'timedout', 'canceled', 'infrastructure_fail'] as const

const Flag = Nullable(Type.Boolean())

/** What one container did in a step. */
export const Action = Type.Object({
  name: Type.String(),
  bash_command: Nullable(Type.String()),
  run_time_millis: Nullable(Type.Integer()),
  start_time: Nullable(Time),
  end_time: Nullable(Time),
  exit_code: Nullable(Type.Integer()),
  type: OneOf(...actionTypes),
  /** Of the container. */
  index: Type.Integer(),
  step: Type.Integer(),
  status: OneOf(...actionStatuses),
  messages: Type.Array(Type.String()),
  source: Nullable(Type.String()),
  failed: Flag,
  continue: Flag,
  parallel: Type.Boolean(),
  timedout: Flag,
  infrastructure_fail: Flag,
  canceled: Flag,
  background: Type.Boolean(),
  insignificant: Type.Boolean(),
  truncated: Type.Boolean(),
  has_output: Type.Boolean(),
  /** A signed link: needs no token, gives `[{type, time, message}]`. */
  output_url: Type.Optional(Type.String()),
})
export type Action = Static<typeof Action>

/** A step of a build: one action, or one for each container that ran it. */
export const Step = Type.Object({ name: Type.String(), actions: Type.Array(Action) })
export type Step = Static<typeof Step>
