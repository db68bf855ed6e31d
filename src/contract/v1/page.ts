import { Type } from 'typebox'

/** What a list of builds takes in its query (§4.1). */
export const page = {
  /** Above 100 means 100. */
  limit: Type.Optional(Type.Integer({ minimum: 0, default: 30 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  /** `true` in any spelling; anything else is ignored, as clients send what they have. */
  shallow: Type.Optional(Type.String()),
}
