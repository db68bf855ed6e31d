import type { QueryClient } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint.ts'
import type { getSession } from '#contract/rh/session.ts'
import { sessionQuery } from './queries.ts'

/**
 * Forgets what was read before somebody signed in, as whoever, and shows who they are. The session itself is changed,
 * not forgotten: whoever watches it would go on watching what is no more.
 */
export function signedIn(queries: QueryClient, user: Output<typeof getSession>): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
  queries.setQueryData(sessionQuery.queryKey, user)
}
