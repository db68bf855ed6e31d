import type { Caller } from '#server/app/callers.ts'

/** The query of a list of builds. */
export interface ListQuery {
  readonly limit?: number
  readonly offset?: number
  readonly filter?: string
  readonly status?: string
  readonly order?: string
  readonly mine?: string
  readonly shallow?: string
}

/** What a caller wants of a list of builds. Only the words `true` and `asc` are wishes: clients send what they have. */
export const wish = ({ shallow, order, mine, ...query }: ListQuery, caller: Caller) => ({
  ...query,
  shallow: shallow === 'true',
  ...(order === 'asc' && { order: 'asc' as const }),
  ...(mine === 'true' && caller.kind === 'user' && { mine: caller.id }),
})
