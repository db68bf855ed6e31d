import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { itemsOf } from '#web/read/pages.ts'
import { DataTable } from './data-table.tsx'
import { MoreButton } from './more-button.tsx'
import { QueryView } from './query-view.tsx'

interface Pages<Row> {
  readonly pages: readonly { readonly items: readonly Row[]; readonly next_page_token: string | null }[]
}

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'rows'> & {
  readonly list: UseInfiniteQueryResult<Pages<Row>>
  /** What the button for the next page says. */
  readonly more: string
}

/** A list that is read page after page, as a table. */
export function PagedTable<Row>({ list, more, ...table }: Props<Row>) {
  return (
    <>
      <QueryView query={list}>{(data) => <DataTable {...table} rows={itemsOf(data)} />}</QueryView>
      <MoreButton name={more} list={list} />
    </>
  )
}
