import type { FastifyRequest } from 'fastify'
import type { Access, Scope } from '#contract/endpoint.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { anonymous, type Caller } from '#server/app/callers.ts'
import { credentialOf } from './credentials.ts'

/** Whether holding one scope of a project is holding another. */
const holds: Readonly<Record<string, readonly Scope[]>> = {
  all: ['status', 'view-builds', 'trigger-builds', 'read-settings', 'write-settings', 'all'],
  'view-builds': ['status', 'view-builds'],
  'trigger-builds': ['trigger-builds'],
  'read-settings': ['read-settings'],
  'write-settings': ['read-settings', 'write-settings'],
  status: ['status'],
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Finds out who is calling and whether such callers may use the endpoint at all; what they may do with a project is decided where it is read. */
export async function authorize(app: App, access: Access, request: FastifyRequest): Promise<Caller> {
  if (access === 'anyone') return anonymous
  const { token, fromCookie } = credentialOf(request)
  // A page of another site can make a browser send its cookie, but not this header.
  if (fromCookie && !safe.has(request.method) && request.headers['x-requested-with'] !== 'roundhouse') {
    throw new Refusal(
      'forbidden',
      'Cannot change anything with a session cookie alone: the header X-Requested-With: roundhouse is missing',
    )
  }
  const caller = await app.callers.find(token)
  if (!mayUse(access, caller)) throw refusal(caller, request)
  return caller
}

function mayUse(access: Access, caller: Caller): boolean {
  switch (access) {
    case 'anyone':
      return true
    case 'user':
      return caller.kind === 'user'
    case 'user-or-public':
      return caller.kind === 'user' || caller.kind === 'anonymous'
    case 'admin':
      return caller.kind === 'user' && caller.user.admin === 1
    case 'agent':
      return caller.kind === 'agent'
    case 'job':
      return caller.kind === 'job'
    default: {
      const [who, scope] = access.split(':') as ['project' | 'project-or-public', Scope]
      if (caller.kind === 'project') return holds[caller.scope]?.includes(scope) ?? false
      return caller.kind === 'user' || (caller.kind === 'anonymous' && who === 'project-or-public')
    }
  }
}

function refusal(caller: Caller, request: FastifyRequest): Refusal {
  if (caller.kind === 'anonymous') return new Refusal('unauthenticated', 'You must log in first.')
  // Generation 2 knows no project tokens: for it, their holder sees nothing.
  if (caller.kind === 'project' && request.url.startsWith('/api/v2/'))
    return new Refusal('not-found', 'Project not found')
  return new Refusal('forbidden', 'Permission denied')
}
