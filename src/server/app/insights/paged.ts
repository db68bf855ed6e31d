import type { App } from '#server/app/app.ts'
import type { PageOf } from '#server/app/lists.ts'

/** What can be asked of a list, beside the page. */
type Query = Readonly<Record<string, unknown>>

/** A page of a list whose token carries what was asked for: the next page needs nothing but the token. */
export async function paged<Q extends Query, T>(
  app: App,
  list: string,
  token: string | undefined,
  asked: Q,
  read: (asked: Q, after: string | undefined) => Promise<PageOf<T>>,
): Promise<PageOf<T>> {
  const texts = Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [name, value === undefined ? undefined : JSON.stringify(value)]),
  )
  const page = app.cursors.read(list, token, texts)
  const filter = page?.filter ?? texts
  const meant = Object.fromEntries(
    Object.entries(filter).flatMap(([name, text]) => (text === undefined ? [] : [[name, JSON.parse(text) as unknown]])),
  ) as Q
  const { items, next } = await read(meant, page?.after)
  return { items, next: next === null ? null : app.cursors.write(list, { after: next, filter }) }
}
