import { useInfiniteQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { type AuditFilter, auditQuery } from '#web/read/organization-queries.ts'

interface Props {
  /** Nothing: the whole installation. */
  readonly organization: string | undefined
  readonly refused: string | undefined
}

/** Who did what, newest first; which of it is in the address. */
export function AuditSection({ organization, refused }: Props) {
  const [search] = useSearchParams()
  const filter: AuditFilter = {
    actor: search.get('who') ?? '',
    words: search.get('what') ?? '',
    until: search.get('until') ?? '',
  }
  const audit = useInfiniteQuery({ ...auditQuery(organization, filter), enabled: refused === undefined })
  const filtered = Object.values(filter).some((word) => word !== '')
  return (
    <>
      <SectionHead
        name="Audit log"
        about="Everything that somebody changed, and from where. Nothing is ever changed in this list."
        refused={refused}
      />
      {refused === undefined && (
        <>
          <AuditFilters key={JSON.stringify(filter)} filter={filter} />
          <PagedTable
            list={audit}
            more={filtered ? 'Look further back' : 'Older entries'}
            caption="Audit log"
            empty={
              !filtered
                ? 'Nobody changed anything yet.'
                : audit.hasNextPage
                  ? 'Nothing like this among the newest entries.'
                  : 'Nothing like this. Try fewer words, or a later day.'
            }
            keyOf={({ id }) => id}
            columns={[
              { name: 'When', cell: ({ at }) => <When at={at} /> },
              { name: 'Who', cell: ({ actor }) => actor },
              { name: 'Did', cell: ({ action }) => <code>{action}</code> },
              { name: 'With', cell: ({ target }) => <code>{target}</code> },
              { name: 'From', cell: ({ address }) => address },
            ]}
          />
        </>
      )}
    </>
  )
}

function AuditFilters({ filter }: { readonly filter: AuditFilter }) {
  const navigate = useNavigate()
  const [who, setWho] = useState(filter.actor)
  const [what, setWhat] = useState(filter.words)
  const [until, setUntil] = useState(filter.until)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const words = Object.entries({ who: who.trim(), what: what.trim(), until }).filter(([, word]) => word !== '')
    void navigate(`?${new URLSearchParams(words).toString()}`, { preventScrollReset: true })
  }
  return (
    <form role="search" aria-label="Which entries" className="bar-form" onSubmit={submit}>
      <TextField label="Who" placeholder="login" value={who} onText={setWho} />
      <TextField label="What" placeholder="webhook, token, delete…" value={what} onText={setWhat} />
      <TextField label="Until" type="date" value={until} onText={setUntil} />
      <button type="submit">Show</button>
    </form>
  )
}
