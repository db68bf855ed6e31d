import { Type } from 'typebox'

/** What a list of builds takes in its query (§4.1). */
export const page = {
  /** Above 100 means 100. */
  limit: Type.Optional(Type.Integer({ minimum: 0, default: 30 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  /** `true` in any spelling; anything else is ignored, as clients send what they have. */
  shallow: Type.Optional(Type.String()),
  /** `asc`: the oldest first; anything else is ignored. */
  order: Type.Optional(Type.String()),
  /** `true`: only what the caller's own pipelines ran; anything else is ignored. */
  mine: Type.Optional(Type.String()),
}
