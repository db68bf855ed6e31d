import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { insightsPage } from '#web/address.ts'
import { type Insight, insightBranchesQuery } from '#web/read/insight-queries.ts'
import { windowNames } from './spans.ts'

interface Props {
  readonly about: Insight
  readonly workflow: string | null
}

/** Chooses the window and the branch; the choice is in the address. */
export function InsightFilters({ about, workflow }: Props) {
  const navigate = useNavigate()
  const { data } = useQuery(insightBranchesQuery(about.slug))
  const to = (change: Partial<Insight>) => {
    const { window, branch } = { ...about, ...change }
    const words = { window, ...(branch !== undefined && { branch }), ...(workflow !== null && { workflow }) }
    return `${insightsPage(about.slug)}?${new URLSearchParams(words).toString()}`
  }
  const branches = new Set([...(data?.branches ?? []), ...(about.branch === undefined ? [] : [about.branch])])
  return (
    <div className="filters" role="search" aria-label="Which runs">
      <ul className="segments">
        {Object.entries(windowNames).map(([window, name]) => (
          <li key={window}>
            <Link
              to={to({ window: window as Insight['window'] })}
              aria-current={window === about.window ? 'true' : undefined}
              preventScrollReset
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <select
        aria-label="Branch"
        value={about.branch ?? ''}
        onChange={(event) => void navigate(to({ branch: event.target.value === '' ? undefined : event.target.value }))}
      >
        <option value="">All branches</option>
        {[...branches].map((branch) => (
          <option key={branch}>{branch}</option>
        ))}
      </select>
    </div>
  )
}
