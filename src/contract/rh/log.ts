import { type Static, Type } from 'typebox'
import { Bytes, endpoint, Events, Uuid } from '#contract/endpoint.ts'

const StepParams = Type.Object({ id: Uuid, index: Type.Integer({ minimum: 0 }) })
const Offset = Type.Integer({ minimum: 0 })
/** Of a job with several; the first unless said. */
const node = Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }))

/** The data of one `log` event: the next bytes, in base64, as a log need not be text. The id of the event is the offset behind them. */
export const LogPiece = Type.String()
export type LogPiece = Static<typeof LogPiece>

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
    'Follow the log of a step from a byte on: events `log`, whose id is the offset to go on from, then one `end`',
  access: 'user',
  form: 'stream',
  params: StepParams,
  query: Type.Object({ from: Type.Optional(Offset), node }),
  response: Events,
})
