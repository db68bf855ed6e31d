import { type Static, Type } from 'typebox'
import { endpoint, Message, OneOf, Page, Uuid } from '#contract/endpoint.ts'
import { PageQuery } from './path.ts'

const Kind = OneOf('project', 'user', 'group', 'expression')

/** What limits the use of a context; `project_id` and `name` where it is about a project. */
export const ContextRestriction = Type.Object({
  id: Uuid,
  context_id: Uuid,
  project_id: Type.Optional(Uuid),
  name: Type.String(),
  restriction_type: Kind,
  restriction_value: Type.String(),
})
export type ContextRestriction = Static<typeof ContextRestriction>

const ContextParams = Type.Object({ context_id: Uuid })

export const listContextRestrictions = endpoint({
  method: 'GET',
  path: '/context/:context_id/restrictions',
  summary: 'List what limits the use of a context',
  access: 'user',
  params: ContextParams,
  query: PageQuery,
  response: Page(ContextRestriction),
})

export const createContextRestriction = endpoint({
  method: 'POST',
  path: '/context/:context_id/restrictions',
  summary:
    'Limit the use of a context to a project, to a person, to all members, or to pipelines for which an expression holds',
  access: 'user',
  status: 201,
  params: ContextParams,
  body: Type.Object({
    restriction_type: Kind,
    /** An id, or an expression over pipeline values. */
    restriction_value: Type.String({ minLength: 1, maxLength: 2000 }),
  }),
  response: ContextRestriction,
})

export const deleteContextRestriction = endpoint({
  method: 'DELETE',
  path: '/context/:context_id/restrictions/:restriction_id',
  summary: 'Lift a restriction of a context',
  access: 'user',
  params: Type.Object({ context_id: Uuid, restriction_id: Uuid }),
  response: Message,
})
