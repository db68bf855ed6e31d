import { Type } from 'typebox'
import { endpoint, Nullable, OpenMap } from '#contract/endpoint.ts'

export const runGraphql = endpoint({
  method: 'POST',
  path: '/graphql-unstable',
  summary: 'Answer one of the few GraphQL queries that clients still send; also at `/graphql-unstable`',
  access: 'user',
  // Changes are noted one by one, under their own names.
  audited: false,
  body: Type.Object({
    query: Type.String({ maxLength: 100_000 }),
    variables: Type.Optional(Nullable(OpenMap)),
    operationName: Type.Optional(Nullable(Type.String())),
  }),
  response: Type.Object({
    data: Nullable(OpenMap),
    errors: Type.Optional(Type.Array(Type.Object({ message: Type.String() }))),
  }),
})
