import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, Time, Uuid } from '#contract/endpoint.ts'

/* What an agent tells of a job while it has it: how its steps stand, what they print, and how it ended. */

export const stepStatuses = [
  'running',
  'success',
  'failed',
  'timedout',
  'canceled',
  'skipped',
  'infrastructure_fail',
] as const

/** How one step stands. Steps are numbered by their place in the spec. */
export const StepReport = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  status: OneOf(...stepStatuses),
  started_at: Time,
  ended_at: Nullable(Time),
  exit_code: Nullable(Type.Integer()),
  /** Bytes of its log after redaction, once it has ended and all of it was sent. */
  log_size: Nullable(Type.Integer()),
  /** CRC-32 of these bytes. */
  log_crc: Nullable(Type.Integer()),
})
export type StepReport = Static<typeof StepReport>

const jobParams = Type.Object({ id: Uuid })

export const reportSteps = endpoint({
  method: 'POST',
  path: '/agent/job/:id/steps',
  summary: 'Tell how steps stand; only the named ones are changed',
  access: 'job',
  params: jobParams,
  body: Type.Object({ steps: Type.Array(StepReport), sent_at: Type.Optional(Time) }),
  response: Message,
})

export const waitForNodes = endpoint({
  method: 'POST',
  path: '/agent/job/:id/others',
  summary: 'Wait for the other nodes of the job; held open, and answered when they have ended or one has failed',
  access: 'job',
  params: jobParams,
  response: Type.Object({ others: OneOf('running', 'succeeded', 'failed') }),
})

/** How long ago bytes of a log were first seen: `byte:milliseconds` pairs in order, each from its byte of the log on. */
export const LogTimes = Type.String({ pattern: '^(\\d{1,15}:\\d{1,12}(,\\d{1,15}:\\d{1,12}){0,999})?$' })

export const appendLog = endpoint({
  method: 'PATCH',
  path: '/agent/job/:id/step/:index/log',
  summary:
    'Append the bytes of a Content-Range (`bytes 0-99/*`) to the log of a step; a header `log-times` says how long ago they were seen',
  access: 'job',
  form: 'bytes',
  params: Type.Object({ id: Uuid, index: Type.Integer({ minimum: 0 }) }),
  /** The size of the log now. With status 416 the range did not begin there: go on from `offset`. */
  response: Type.Object({ offset: Type.Integer() }),
})

export const showLog = endpoint({
  method: 'POST',
  path: '/agent/job/:id/step/:index/window',
  summary:
    'Append bytes to the log of a step by saying where they stand in a file of the agent, which shares its disk with the server',
  access: 'job',
  params: Type.Object({ id: Uuid, index: Type.Integer({ minimum: 0 }) }),
  body: Type.Object({
    /** Where they begin in the log, and how many they are. */
    start: Type.Integer({ minimum: 0 }),
    size: Type.Integer({ minimum: 1 }),
    /** The name of the job's folder, and where in the output of the step they begin. */
    folder: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    at: Type.Integer({ minimum: 0 }),
    /** CRC-32 of the log up to their end; 0 from an agent that leaves it out, and then at the end too. */
    crc: Type.Integer({ minimum: 0 }),
    times: Type.Optional(LogTimes),
  }),
  /** As of `appendLog`; with status 409 the file cannot be seen: send the bytes. */
  response: Type.Object({ offset: Type.Integer() }),
})

export const getSshVisitors = endpoint({
  method: 'GET',
  path: '/agent/job/:id/ssh',
  summary: 'Read whose public keys open a job that runs with SSH, as of now',
  access: 'job',
  params: jobParams,
  response: Type.Object({
    /** Everybody who may come, whether they have a key or not. */
    users: Type.Array(Type.String()),
    keys: Type.Array(Type.Object({ login: Type.String(), public_key: Type.String() })),
  }),
})

export const finishJob = endpoint({
  method: 'POST',
  path: '/agent/job/:id/finish',
  summary: 'Report the end of a job or node, with every step; refused with 409 and `offset` while a log is incomplete',
  access: 'job',
  params: jobParams,
  body: Type.Object({
    outcome: OneOf('success', 'failed', 'canceled', 'timedout', 'infrastructure_fail'),
    /** Why, for a person, where the steps do not say it. */
    reason: Nullable(Type.String({ maxLength: 2000 })),
    steps: Type.Array(StepReport),
    /** When it says so, by its own clock: the times of its steps are shifted by what the clocks differ. */
    sent_at: Type.Optional(Time),
  }),
  response: Message,
})
