import { type Static, Type } from 'typebox'
import { Bytes, endpoint, Events, Nullable, Page, Time, Uuid } from '#contract/endpoint.ts'

const StepParams = Type.Object({ id: Uuid, index: Type.Integer({ minimum: 0 }) })
const Offset = Type.Integer({ minimum: 0 })
/** Of a job with several; the first unless said. */
const node = Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }))

/** The data of one `log` event: the next bytes, in base64, as a log need not be text. The id of the event is the offset behind them. */
export const LogPiece = Type.String()
export type LogPiece = Static<typeof LogPiece>

/** The data of one `time` event: when the bytes from an offset on were first seen, until the next such event. */
export const LogTime = Type.Object({ offset: Offset, at: Time })
export type LogTime = Static<typeof LogTime>

/** The data of the `end` event, after which nothing comes: the step has ended and its log has this size. */
export const LogEnd = Type.Object({ size: Offset })
export type LogEnd = Static<typeof LogEnd>

export const readLog = endpoint({
  method: 'GET',
  path: '/job/:id/step/:index/log',
  summary: 'Read the log of a step, from one byte to before another',
  access: 'user',
  form: 'stream',
  params: StepParams,
  query: Type.Object({ from: Type.Optional(Offset), to: Type.Optional(Offset), node }),
  response: Bytes,
})

export const followLog = endpoint({
  method: 'GET',
  path: '/job/:id/step/:index/follow',
  summary:
    'Follow the log of a step from a byte on: events `log`, whose id is the offset to go on from, `time` before what was seen then, and at last one `end`',
  access: 'user',
  form: 'stream',
  params: StepParams,
  query: Type.Object({ from: Type.Optional(Offset), node }),
  response: Events,
})

/** Some lines of a log, and where they stand in it. */
export const LogLines = Type.Object({
  /** The number of the first of them, counted from 1; null where a log is so large and new that nobody has counted its lines. */
  first: Nullable(Type.Integer()),
  /** The byte at which the first of them begins. */
  start: Offset,
  /** Without their ends; bytes that are no text are replaced, and what is too long to be read is cut. */
  lines: Type.Array(Type.String()),
  /** What a terminal would have been told before them about colours, and not unsaid: they begin with this look. */
  look: Type.String(),
  /** When they were first seen: each holds from its line on, where the first has no number counted as if it were 1. Nothing where the agent did not tell. */
  times: Type.Array(Type.Object({ line: Type.Integer(), at: Time })),
  /** How many lines the log has now; one that has no end yet counts when the log has ended. Null as `first`. */
  total: Nullable(Type.Integer()),
  /** The byte behind the last of them. */
  offset: Offset,
  /** Whether nothing comes any more. */
  ended: Type.Boolean(),
})
export type LogLines = Static<typeof LogLines>

export const readLines = endpoint({
  method: 'GET',
  path: '/job/:id/step/:index/lines',
  summary: 'Read some lines of the log of a step: from a line on, or the last ones',
  access: 'user',
  params: StepParams,
  query: Type.Object({
    /** The last lines where it is left out. */
    from: Type.Optional(Type.Integer({ minimum: 1 })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000 })),
    node,
  }),
  response: LogLines,
})

export const numberLine = endpoint({
  method: 'GET',
  path: '/job/:id/step/:index/line-number',
  summary: 'Read the number of the line of a log that begins at a byte: it is counted, where nobody has yet',
  access: 'user',
  params: StepParams,
  query: Type.Object({ byte: Offset, node }),
  response: Type.Object({ line: Type.Integer() }),
})

/** A line that holds what was looked for, without colours. */
export const FoundLine = Type.Object({ step: Type.Integer(), line: Type.Integer(), text: Type.String() })
export type FoundLine = Static<typeof FoundLine>

export const searchLogs = endpoint({
  method: 'GET',
  path: '/job/:id/search',
  summary: 'Search the logs of the steps of a job, or of one, for a text, whatever its case',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({
    text: Type.String({ minLength: 1, maxLength: 200 }),
    step: Type.Optional(Type.Integer({ minimum: 0 })),
    node,
    'page-token': Type.Optional(Type.String()),
  }),
  /** A page may hold few lines, even none, and still have a next one: only so many bytes are looked through at once. */
  response: Page(FoundLine),
})
