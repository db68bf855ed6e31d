interface Pages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

/** Goes on with a list that has more. */
export function MoreButton({ name, list }: { readonly name: string; readonly list: Pages }) {
  if (!list.hasNextPage) return null
  return (
    <p>
      <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {list.isFetchingNextPage ? 'Loading…' : name}
      </button>
    </p>
  )
}
