/** The query of a list of builds. */
export interface ListQuery {
  readonly limit?: number
  readonly offset?: number
  readonly filter?: string
  readonly shallow?: string
}

/** What is wanted of a list of builds. Only the word `true` is a wish: clients send what they have. */
export const wish = ({ shallow, ...query }: ListQuery) => ({ ...query, shallow: shallow === 'true' })
