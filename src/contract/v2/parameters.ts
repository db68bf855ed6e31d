import { type Static, Type } from 'typebox'

const limits = { maxProperties: 100, propertyNames: { maxLength: 128 } }

const Value = Type.Union([Type.String({ maxLength: 512 }), Type.Integer(), Type.Boolean()])

/** Parameters of a pipeline as a caller gives them: at most 100, names to 128 characters, values to 512. */
export const Parameters = Type.Record(Type.String(), Value, limits)
export type Parameters = Static<typeof Parameters>
