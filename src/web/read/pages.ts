import { infiniteQueryOptions } from '@tanstack/react-query'

interface PageOf<T> {
  readonly items: readonly T[]
  readonly next_page_token: string | null
}

/** The query of a page: nothing for the first. */
export const pageQuery = (token: string) => (token === '' ? {} : { 'page-token': token })

/** A list that is read page after page. */
export const pagedQuery = <T>(
  key: readonly string[],
  read: (page: ReturnType<typeof pageQuery>, signal: AbortSignal) => Promise<PageOf<T>>,
) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ signal, pageParam }) => read(pageQuery(pageParam), signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token ?? undefined,
  })

/** All items that were read so far. */
export const itemsOf = <T>({ pages }: { readonly pages: readonly PageOf<T>[] }): readonly T[] =>
  pages.flatMap((page) => page.items)
