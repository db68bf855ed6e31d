import { type Static, Type } from 'typebox'
import { endpoint, Message } from '#contract/endpoint.ts'
import { VariableName, VariableValue } from '#contract/variable.ts'
import { projectParams, ProjectParams } from './path.ts'

/** An environment variable of a project, its value masked. */
export const Variable = Type.Object({ name: Type.String(), value: Type.String() })
export type Variable = Static<typeof Variable>

const VariableParams = projectParams({ name: Type.String({ minLength: 1 }) })

export const listVariables = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/envvar',
  summary: 'List the environment variables of a project, masked',
  access: 'project:read-settings',
  params: ProjectParams,
  response: Type.Array(Variable),
})

export const setVariable = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/envvar',
  summary: 'Set an environment variable of a project',
  access: 'project:write-settings',
  status: 201,
  params: ProjectParams,
  body: Type.Object({ name: VariableName, value: VariableValue }),
  response: Variable,
})

export const getVariable = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/envvar/:name',
  summary: 'Read an environment variable of a project, masked',
  access: 'project:read-settings',
  params: VariableParams,
  response: Variable,
})

export const deleteVariable = endpoint({
  method: 'DELETE',
  path: '/project/:vcs/:org/:repo/envvar/:name',
  summary: 'Delete an environment variable of a project',
  access: 'project:write-settings',
  params: VariableParams,
  response: Message,
})
