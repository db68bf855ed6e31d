import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut, mayPass } from '#web/api/said.ts'
import { sessionQuery } from './queries.ts'

/** What the pages have read. A session that has ended is noticed at the next reading, whatever it was for. */
export function newQueryClient(): QueryClient {
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        if (!isSignedOut(error) || query.queryKey[0] === 'session') return
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      },
    }),
    defaultOptions: {
      queries: { staleTime: 2_000, retry: (count, error) => count < 2 && mayPass(error) },
    },
  })
  return queries
}
