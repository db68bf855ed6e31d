import { type Static, Type } from 'typebox'
import { endpoint, Message, Page, Time } from '#contract/endpoint.ts'
import { VariableName, VariableValue } from '#contract/variable.ts'
import { PageQuery, projectParams, ProjectParams } from './path.ts'

/** An environment variable of a project, its value masked. */
export const Variable = Type.Object({
  name: Type.String(),
  value: Type.String(),
  'created-at': Time,
  created_at: Time,
})
export type Variable = Static<typeof Variable>

const VariableParams = projectParams({ name: Type.String({ minLength: 1 }) })

export const listVariables = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/envvar',
  summary: 'List the environment variables of a project, masked',
  access: 'user',
  params: ProjectParams,
  query: PageQuery,
  response: Page(Variable),
})

export const createVariable = endpoint({
  method: 'POST',
  path: '/project/:provider/:org/:repo/envvar',
  summary: 'Set an environment variable of a project',
  access: 'user',
  status: 201,
  params: ProjectParams,
  body: Type.Object({ name: VariableName, value: VariableValue }),
  response: Variable,
})

export const getVariable = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/envvar/:name',
  summary: 'Read an environment variable of a project, masked',
  access: 'user',
  params: VariableParams,
  response: Variable,
})

export const deleteVariable = endpoint({
  method: 'DELETE',
  path: '/project/:provider/:org/:repo/envvar/:name',
  summary: 'Delete an environment variable of a project',
  access: 'user',
  params: VariableParams,
  response: Message,
})
