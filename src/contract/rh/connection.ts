import { Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, Time } from '#contract/endpoint.ts'
import { ProjectParams } from '#contract/v2/path.ts'

const Statuses = OneOf('workflows', 'jobs', 'both')

/** How a project speaks to its provider. The token is never read back. */
const Connection = Type.Object({
  connected: Type.Boolean(),
  /** Of what the provider is told how it ended. */
  statuses: Statuses,
})

export const getConnection = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/connection',
  summary: 'Read how a project speaks to its provider',
  access: 'user',
  params: ProjectParams,
  response: Connection,
})

export const setConnection = endpoint({
  method: 'PUT',
  path: '/project/:provider/:org/:repo/connection',
  summary:
    'Give a project a token for its provider, or say of what that is told; a token also registers the checkout key',
  access: 'user',
  params: ProjectParams,
  body: Type.Object({
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, pattern: '^[\\x21-\\x7e]+$' })),
    statuses: Type.Optional(Statuses),
  }),
  response: Type.Object({
    ...Connection.properties,
    /** What the token may do with the repository; null where none was given. */
    access: Nullable(OneOf('read', 'write', 'admin')),
    checkout_key_registered: Type.Boolean(),
  }),
})

export const deleteConnection = endpoint({
  method: 'DELETE',
  path: '/project/:provider/:org/:repo/connection',
  summary: 'Take the token for its provider from a project',
  access: 'user',
  params: ProjectParams,
  response: Message,
})

export const listCommitStatuses = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/commit-statuses/:revision',
  summary: 'Read what the provider of a project was told of a commit, and what came of it',
  access: 'user',
  params: Type.Object({ ...ProjectParams.properties, revision: Type.String({ minLength: 40, maxLength: 64 }) }),
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        context: Type.String(),
        status: OneOf('pending', 'running', 'success', 'failure', 'error'),
        state: OneOf('pending', 'sent', 'dead'),
        attempts: Type.Integer(),
        error: Nullable(Type.String()),
        updated_at: Time,
      }),
    ),
  }),
})
