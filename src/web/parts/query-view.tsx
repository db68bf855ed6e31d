import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Trouble } from './trouble.tsx'

interface Props<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'>
  readonly children: (data: T) => ReactNode
}

/** Shows what was read; until then that it is being read, or why it cannot be. Old data stays while it is read again. */
export function QueryView<T>({ query, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  return query.error ? <Trouble error={query.error} /> : <p role="status">Loading…</p>
}
