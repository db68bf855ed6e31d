import { Type } from 'typebox'
import { Empty, endpoint, Nullable } from '#contract/endpoint.ts'
import { ProjectParams } from './path.ts'

/** Left out, null or empty: any host. */
const Hostname = Type.Optional(Nullable(Type.String()))

export const addSshKey = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/ssh-key',
  summary: 'Give the builds of a project a key for a host',
  access: 'project:write-settings',
  params: ProjectParams,
  body: Type.Object({ hostname: Hostname, private_key: Type.String({ minLength: 1 }) }),
  response: Empty,
})

export const deleteSshKey = endpoint({
  method: 'DELETE',
  path: '/project/:vcs/:org/:repo/ssh-key',
  summary: 'Take a key for a host from the builds of a project',
  access: 'project:write-settings',
  params: ProjectParams,
  body: Type.Object({ hostname: Hostname, fingerprint: Type.String({ minLength: 1 }) }),
  response: Empty,
})
