import { type Static, Type } from 'typebox'
import { endpoint, exactlyOne, Message, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { VariableName, VariableValue } from '#contract/variable.ts'
import { PageQuery, paging } from './path.ts'

/** Environment variables that the projects of an organization share. */
export const Context = Type.Object({ id: Uuid, name: Type.String(), created_at: Time })
export type Context = Static<typeof Context>

/** A variable of a context: its value is never told. */
export const ContextVariable = Type.Object({
  variable: Type.String(),
  created_at: Time,
  updated_at: Time,
  context_id: Uuid,
})
export type ContextVariable = Static<typeof ContextVariable>

/** Not blank, on one line, no space at either end. */
const Name = Type.String({ pattern: '^\\S(?:[^\\n\\v\\f\\r\\u0085\\u2028\\u2029]*\\S)?$', maxLength: 200 })
const OwnerType = OneOf('organization', 'account')

const Owner = Type.Object(
  { id: Type.Optional(Uuid), slug: Type.Optional(Type.String({ minLength: 1 })), type: Type.Optional(OwnerType) },
  exactlyOne('id', 'slug'),
)

const ContextParams = Type.Object({ context_id: Uuid })
const VariableParams = Type.Object({ context_id: Uuid, env_var_name: Type.String({ minLength: 1 }) })

export const listContexts = endpoint({
  method: 'GET',
  path: '/context',
  summary: 'List the contexts of an owner, who is named by id or by slug',
  access: 'user',
  query: Type.Object({
    ...paging,
    'owner-id': Type.Optional(Uuid),
    'owner-slug': Type.Optional(Type.String()),
    'owner-type': Type.Optional(OwnerType),
  }),
  response: Page(Context),
})

export const createContext = endpoint({
  method: 'POST',
  path: '/context',
  summary: 'Create a context',
  access: 'user',
  body: Type.Object({ name: Name, owner: Owner }),
  response: Context,
})

export const getContext = endpoint({
  method: 'GET',
  path: '/context/:context_id',
  summary: 'Read a context',
  access: 'user',
  params: ContextParams,
  response: Context,
})

export const deleteContext = endpoint({
  method: 'DELETE',
  path: '/context/:context_id',
  summary: 'Delete a context and its variables',
  access: 'user',
  params: ContextParams,
  response: Message,
})

export const listContextVariables = endpoint({
  method: 'GET',
  path: '/context/:context_id/environment-variable',
  summary: 'List the names of the variables of a context',
  access: 'user',
  params: ContextParams,
  query: PageQuery,
  response: Page(ContextVariable),
})

export const setContextVariable = endpoint({
  method: 'PUT',
  path: '/context/:context_id/environment-variable/:env_var_name',
  summary: 'Create or update a variable of a context',
  access: 'user',
  params: Type.Object({ context_id: Uuid, env_var_name: VariableName }),
  body: Type.Object({ value: VariableValue }),
  response: ContextVariable,
})

export const deleteContextVariable = endpoint({
  method: 'DELETE',
  path: '/context/:context_id/environment-variable/:env_var_name',
  summary: 'Delete a variable of a context',
  access: 'user',
  params: VariableParams,
  response: Message,
})
