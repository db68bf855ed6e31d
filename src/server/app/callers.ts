import type { AgentId, ProjectId, TokenId, UserId } from '#core/ids.ts'
import { Refusal } from '#kit/refusal.ts'
import { leaseByToken, type LeaseRow } from '#server/store/leases.ts'
import { type UserRow, userById } from '#server/store/people.ts'
import { tokenByHash } from '#server/store/tokens.ts'
import { keyOwnerOf, leaseByCheckoutToken } from './checkout-token.ts'
import { hashToken, tokenPrefix } from './seal.ts'
import type { World } from './world.ts'

/** What a request turned out to be about, noted by whoever lets it in: for the record of who did what. */
export interface Trail {
  organization?: string
}

/** Who is asking, whichever way the token came. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user'
      readonly id: UserId
      readonly user: UserRow
      readonly token: TokenId
      readonly session: boolean
      readonly trail?: Trail
    }
  | { readonly kind: 'project'; readonly project: ProjectId; readonly scope: string; readonly trail?: Trail }
  | { readonly kind: 'agent'; readonly agent: AgentId }
  | { readonly kind: 'job'; readonly lease: LeaseRow }
  /** The steps of a job at the built-in git host; `user` is whose key the project checks out with, where it is somebody's. */
  | { readonly kind: 'checkout'; readonly lease: LeaseRow; readonly user: UserRow | undefined }

export type User = Extract<Caller, { readonly kind: 'user' }>

export const anonymous: Caller = { kind: 'anonymous' }

/** How long a token that was found good is believed without another look: revoking takes effect within this. */
const believedMs = 2_000

/** Finds out who holds a token. The one place that does, for every way of sending one. */
export function callers(world: World) {
  const known = new Map<string, { readonly caller: Caller; readonly until: number }>()

  async function lookUp(hash: string): Promise<Caller | undefined> {
    const row = await tokenByHash(world.db, { hash })
    if (!row || (row.expires_at !== null && row.expires_at < world.now())) return undefined
    switch (row.kind) {
      case 'user':
      case 'session': {
        const user = row.user_id === null ? undefined : await userById(world.db, { id: row.user_id })
        return (
          user && {
            kind: 'user',
            id: user.id as UserId,
            user,
            token: row.id as TokenId,
            session: row.kind === 'session',
          }
        )
      }
      case 'project':
        return row.project_id === null
          ? undefined
          : { kind: 'project', project: row.project_id as ProjectId, scope: row.scope }
      case 'agent':
        return row.agent_id === null ? undefined : { kind: 'agent', agent: row.agent_id as AgentId }
      default:
        return undefined
    }
  }

  return {
    /** Whoever the token belongs to; refuses one that opens nothing. */
    async find(token: string | undefined): Promise<Caller> {
      if (token === undefined || token === '') return anonymous
      const now = performance.now()
      const seen = known.get(token)
      if (seen && seen.until > now) return seen.caller
      const hash = hashToken(token)
      if (token.startsWith(tokenPrefix.job)) {
        const lease = await leaseByToken(world.db, { hash })
        if (!lease) throw new Refusal('unauthenticated', 'Invalid token provided.')
        return { kind: 'job', lease }
      }
      if (token.startsWith(tokenPrefix.checkout)) {
        const lease = await leaseByCheckoutToken(world, token)
        if (!lease) throw new Refusal('unauthenticated', 'Invalid token provided.')
        return { kind: 'checkout', lease, user: await keyOwnerOf(world, lease) }
      }
      const caller = await lookUp(hash)
      if (!caller) throw new Refusal('unauthenticated', 'Invalid token provided.')
      if (known.size > 10_000) known.clear()
      known.set(token, { caller, until: now + believedMs })
      return caller
    },
    /** Forgets what it believed, when a token or a user was changed here. */
    forget(): void {
      known.clear()
    },
  }
}

export type Callers = ReturnType<typeof callers>
