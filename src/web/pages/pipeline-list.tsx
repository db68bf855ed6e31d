import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { filterText, type PipelineFilter } from '#web/address.ts'
import { QueryView } from '#web/parts/query-view.tsx'
import { foundQuery } from '#web/read/queries.ts'
import { PipelineRow } from './pipeline-row.tsx'

interface Props {
  readonly filter: PipelineFilter
  /** Whether each says which project it is of. */
  readonly named?: boolean
}

/** One page of pipelines; older ones have an address of their own, and are read when they are looked at. */
export function PipelineList({ filter, named = false }: Props) {
  const found = useQuery(foundQuery(filter))
  const { pathname } = useLocation()
  const to = (page: string | undefined) =>
    pathname + filterText({ ...filter, page, ...(!named && { project: undefined }) })
  return (
    <QueryView query={found}>
      {({ items, next_page_token: next }) => (
        <>
          {items.length === 0 ? (
            <Nothing filter={filter} more={next !== null} />
          ) : (
            <ul className="list panel pipelines" aria-label="Pipelines">
              {items.map((pipeline) => (
                <PipelineRow key={pipeline.id} pipeline={pipeline} named={named} />
              ))}
            </ul>
          )}
          {(next !== null || filter.page !== undefined) && (
            <nav className="pager" aria-label="Pages">
              {filter.page !== undefined && <Link to={to(undefined)}>Newest</Link>}
              {next !== null && <Link to={to(next)}>Older</Link>}
            </nav>
          )}
        </>
      )}
    </QueryView>
  )
}

function Nothing({ filter, more }: { readonly filter: PipelineFilter; readonly more: boolean }) {
  const { branch, look, mine, page } = filter
  const narrowed = branch !== undefined || look !== undefined || mine === true || page !== undefined
  if (more) return <p className="empty">None among these: look at older ones.</p>
  return (
    <p className="empty">{narrowed ? 'No pipeline is like that.' : 'No pipeline yet: push a commit, or run one.'}</p>
  )
}
