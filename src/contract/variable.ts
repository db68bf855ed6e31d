import { Type } from 'typebox'

/** The name of an environment variable that somebody sets; the same rule wherever one is set. */
export const VariableName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: 300 })

/** The value of an environment variable that somebody sets; empty is a value. */
export const VariableValue = Type.String({ maxLength: 32_768 })
