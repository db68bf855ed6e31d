import { Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, Time } from '#contract/endpoint.ts'
import { ProjectParams } from '#contract/v2/path.ts'

const Sources = OneOf('git', 'provider')
const Statuses = OneOf('workflows', 'jobs', 'both')

/** How a project speaks to its provider. The token is never read back. */
const Connection = Type.Object({
  connected: Type.Boolean(),
  /** Of what the provider is told how it ended. */
  statuses: Statuses,
  /** Where commits and configurations are read: by git from a mirror, or through the interface of the provider. */
  source: Sources,
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
    'Give a project a token for its provider, say of what that is told, or where configurations are read; a token also registers the checkout key',
  access: 'user',
  params: ProjectParams,
  body: Type.Object({
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, pattern: '^[\\x21-\\x7e]+$' })),
    statuses: Type.Optional(Statuses),
    source: Type.Optional(Sources),
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
