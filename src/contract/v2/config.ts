import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OpenMap } from '#contract/endpoint.ts'

const Value = Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]))

/** What became of a configuration that was only to be looked at. */
export const CompiledConfig = Type.Object({
  valid: Type.Boolean(),
  'source-yaml': Type.String(),
  /** Empty where there is something wrong. */
  'output-yaml': Type.String(),
  errors: Type.Array(Type.Object({ message: Type.String() })),
})
export type CompiledConfig = Static<typeof CompiledConfig>

export const compileConfig = endpoint({
  method: 'POST',
  path: '/compile-config-with-defaults',
  summary: 'Compile a configuration without running it',
  access: 'user',
  audited: false,
  body: Type.Object({
    config_yaml: Type.String({ maxLength: 3_000_000 }),
    options: Type.Optional(
      Nullable(
        Type.Object({
          owner_id: Type.Optional(Type.Unknown()),
          /** Null members, as some clients send them, count as absent. */
          pipeline_parameters: Type.Optional(Nullable(OpenMap)),
          pipeline_values: Type.Optional(Nullable(Type.Record(Type.String(), Value))),
        }),
      ),
    ),
  }),
  response: CompiledConfig,
})
