interface Page<T> {
  readonly items: readonly T[]
  readonly next_page_token: string | null
}

const mostPages = 1000

/** Everything on a list that comes in pages, or as much of it as somebody wants. */
export async function allPages<T>(
  read: (query: { 'page-token'?: string }) => Promise<Page<T>>,
  most = Infinity,
): Promise<readonly T[]> {
  const found: T[] = []
  let token: string | null = ''
  for (let page = 0; token !== null && page < mostPages && found.length < most; page++) {
    const answer: Page<T> = await read(token === '' ? {} : { 'page-token': token })
    found.push(...answer.items)
    token = answer.next_page_token
  }
  return found.slice(0, most)
}
