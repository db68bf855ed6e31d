import { isUuid } from '#kit/uuid.ts'
import { Refusal } from '#kit/refusal.ts'
import { roleOf, type UserRow } from '#server/store/people.ts'
import { projectById, projectBySlug, type ProjectRow } from '#server/store/projects.ts'
import type { AccessLevel } from '#server/vcs/providers/repository.ts'
import { providerNamed } from './addresses.ts'
import type { Caller, User } from './callers.ts'
import { levelAtProvider } from './provider-access.ts'
import type { World } from './world.ts'

/** What somebody wants to do with a project: see whether it is well, see its builds, cause some, see its settings, change them. */
export type Right = 'status' | 'read' | 'build' | 'inspect' | 'configure'

/** How a project was named in a request: three words of a slug, or its id alone. */
export interface ProjectName {
  readonly provider: string
  readonly org: string
  readonly repo: string
}

const rolesThatMay: Readonly<Record<Right, readonly string[]>> = {
  status: ['owner', 'member', 'viewer'],
  read: ['owner', 'member', 'viewer'],
  build: ['owner', 'member'],
  inspect: ['owner', 'member'],
  configure: ['owner', 'member'],
}

/** What somebody may do who may do that with the repository at its provider. */
const levelsThatMay: Readonly<Record<Right, readonly AccessLevel[]>> = {
  status: ['read', 'write', 'admin'],
  read: ['read', 'write', 'admin'],
  build: ['write', 'admin'],
  inspect: ['write', 'admin'],
  configure: ['admin'],
}

const scopesThatMay: Readonly<Record<Right, readonly string[]>> = {
  status: ['all', 'status', 'view-builds', 'trigger-builds', 'read-settings', 'write-settings'],
  read: ['all', 'view-builds', 'trigger-builds', 'read-settings', 'write-settings'],
  build: ['all', 'trigger-builds'],
  inspect: ['all', 'read-settings', 'write-settings'],
  configure: ['all', 'write-settings'],
}

const isReading = (right: Right): boolean => right === 'read' || right === 'status'

/** Whether the caller may do that with the project. Deny by default. */
export async function may(world: World, caller: Caller, right: Right, project: ProjectRow): Promise<boolean> {
  switch (caller.kind) {
    case 'user':
      return userMay(world, caller.user, right, project)
    case 'project':
      return caller.project === project.id && scopesThatMay[right].includes(caller.scope)
    case 'anonymous':
      return isReading(right) && project.public === 1
    case 'job':
      return right === 'read' && caller.lease.project_id === project.id
    case 'checkout': {
      const isOwn = caller.lease.project_id === project.id
      if (isReading(right) && (isOwn || project.public === 1)) return true
      // Whoever has a key in the project lets its jobs read what that person may, and push to this repository.
      const isMeant = isReading(right) || (right === 'build' && isOwn)
      return isMeant && caller.user !== undefined && userMay(world, caller.user, right, project)
    }
    case 'agent':
      return false
    default:
      return caller satisfies never
  }
}

async function userMay(world: World, user: UserRow, right: Right, project: ProjectRow): Promise<boolean> {
  if (user.admin === 1) return true
  const role = (await roleOf(world.db, { user: user.id, organization: project.organization_id }))?.role
  const isAllowed = role === undefined ? isReading(right) && project.public === 1 : rolesThatMay[right].includes(role)
  if (isAllowed) return true
  return levelsThatMay[right].includes(await levelAtProvider(world, user.id, project))
}

/** The project of that name, if the caller may. What one may not see does not exist; what one sees and may not touch is forbidden. */
export async function projectFor(world: World, caller: Caller, right: Right, name: ProjectName): Promise<ProjectRow> {
  return permitted(world, caller, right, await findProject(world, name))
}

/** The project of that id, if the caller may. */
export async function projectOfId(
  world: World,
  caller: Caller,
  right: Right,
  id: string,
  entity = 'Project',
): Promise<ProjectRow> {
  return permitted(world, caller, right, await projectById(world.db, { id }), entity)
}

async function findProject(world: World, { provider, org, repo }: ProjectName): Promise<ProjectRow | undefined> {
  // The router hands over a project that was named by its id alone as `-/-/<id>`.
  const isBare = provider === '-' && org === '-'
  const code = isBare ? undefined : providerNamed(world, provider)
  const known = code && (await projectBySlug(world.db, code, org, repo))
  if (known || !isUuid(repo) || !(isBare || (code && isUuid(org)))) return known
  // Some clients write a slug with ids in the place of names.
  const named = await projectById(world.db, { id: repo.toLowerCase() })
  return isBare || named?.organization_id === org.toLowerCase() ? named : undefined
}

async function permitted(
  world: World,
  caller: Caller,
  right: Right,
  project: ProjectRow | undefined,
  entity = 'Project',
): Promise<ProjectRow> {
  const missing = entity === 'Project' ? 'Project not found' : `${entity} not found.`
  if (!project || !(await may(world, caller, right === 'status' ? right : 'read', project))) {
    if (caller.kind === 'anonymous') throw new Refusal('unauthenticated', 'You must log in first.')
    throw new Refusal('not-found', missing)
  }
  if ('trail' in caller && caller.trail) caller.trail.organization = project.organization_id
  if (!isReading(right) && !(await may(world, caller, right, project)))
    throw new Refusal('forbidden', 'Permission denied')
  return project
}

/** The caller as a user; project tokens, agents and strangers are none. */
export function asUser(caller: Caller): User {
  if (caller.kind === 'user') return caller
  if (caller.kind === 'anonymous') throw new Refusal('unauthenticated', 'You must log in first.')
  throw new Refusal('forbidden', 'Permission denied')
}
