import { useInfiniteQuery } from '@tanstack/react-query'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { When } from '#web/parts/when.tsx'
import { auditQuery } from '#web/read/organization-queries.ts'
import { itemsOf } from '#web/read/pages.ts'

interface Props {
  /** Nothing: the whole installation. */
  readonly organization: string | undefined
  readonly refused: string | undefined
}

/** Who did what, newest first. */
export function AuditSection({ organization, refused }: Props) {
  const audit = useInfiniteQuery({ ...auditQuery(organization), enabled: refused === undefined })
  if (refused !== undefined) return <p className="note">{refused}</p>
  return (
    <>
      <p className="soft">Everything that somebody changed, and from where. Nothing is ever changed in this list.</p>
      <QueryView query={audit}>
        {(data) => (
          <DataTable
            caption="Audit log"
            empty="Nobody changed anything yet."
            rows={itemsOf(data)}
            keyOf={({ id }) => id}
            columns={[
              { name: 'When', cell: ({ at }) => <When at={at} /> },
              { name: 'Who', cell: ({ actor }) => actor },
              { name: 'Did', cell: ({ action }) => <code>{action}</code> },
              { name: 'With', cell: ({ target }) => <code>{target}</code> },
              { name: 'From', cell: ({ address }) => address },
            ]}
          />
        )}
      </QueryView>
      <MoreButton name="Older entries" list={audit} />
    </>
  )
}
