import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { type Insight, insightBranchesQuery } from '#web/read/insight-queries.ts'
import { insightsAddress } from './insights-address.ts'
import { windowNames } from './spans.ts'

interface Props {
  readonly about: Insight
  /** What else the address says, and goes on saying. */
  readonly kept: Readonly<Record<string, string>>
}

/** Chooses the window and the branch; the choice is in the address. */
export function InsightFilters({ about, kept }: Props) {
  const navigate = useNavigate()
  const { data } = useQuery(insightBranchesQuery(about.slug))
  const to = (change: Partial<Insight>) => insightsAddress({ ...about, ...change }, kept)
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
