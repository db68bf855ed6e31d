import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { search, type SearchHit } from '#contract/rh/search.ts'
import { callRh } from '#web/api/calls.ts'
import { pagedQuery } from './pages.ts'

/** The first few things of each kind that have some words. */
export const fewQuery = (words: string) =>
  queryOptions({
    queryKey: ['few', words],
    queryFn: ({ signal }) => callRh(search, { query: { q: words } }, { signal }),
    enabled: words !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })

/** Everything of one kind that has some words, page after page. */
export const manyQuery = (words: string, kind: SearchHit['kind']) =>
  pagedQuery(['many', words, kind], (query, signal) =>
    callRh(search, { query: { ...query, q: words, kind } }, { signal }),
  )
