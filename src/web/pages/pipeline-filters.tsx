import { useInfiniteQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useId } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { filterText, type PipelineFilter } from '#web/address.ts'
import { projectsQuery } from '#web/read/queries.ts'

const looks = [
  { look: undefined, name: 'All' },
  { look: 'active', name: 'Running' },
  { look: 'broken', name: 'Broken' },
  { look: 'held', name: 'On hold' },
  { look: 'passed', name: 'Passed' },
  { look: 'canceled', name: 'Canceled' },
] as const

interface Props {
  readonly filter: PipelineFilter
  /** Whether the page is of one project, which cannot be changed here. */
  readonly fixed?: boolean
}

/** Chooses which pipelines a list shows. The choice is in the address, so that it can be kept and sent. */
export function PipelineFilters({ filter, fixed = false }: Props) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const to = (change: PipelineFilter) =>
    pathname + filterText({ ...filter, ...change, page: undefined, ...(fixed && { project: undefined }) })
  const change = (wanted: PipelineFilter) => void navigate(to(wanted))
  return (
    <div className="filters" role="search" aria-label="Which pipelines">
      <ul className="segments">
        {looks.map(({ look, name }) => (
          <li key={name}>
            <Link to={to({ look })} aria-current={filter.look === look ? 'true' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {!fixed && <ProjectChoice project={filter.project} change={change} />}
      <BranchChoice key={filter.branch} branch={filter.branch} change={change} />
      <label className="check">
        <input
          type="checkbox"
          checked={filter.mine === true}
          onChange={(event) => change({ mine: event.target.checked })}
        />
        Mine
      </label>
    </div>
  )
}

type Change = (wanted: PipelineFilter) => void

function ProjectChoice({ project, change }: { readonly project: string | undefined; readonly change: Change }) {
  const id = useId()
  const { data } = useInfiniteQuery(projectsQuery)
  const cards = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <label htmlFor={id} className="unseen">
        Project
      </label>
      <select id={id} value={project ?? ''} onChange={(event) => change({ project: event.target.value })}>
        <option value="">All projects</option>
        {cards.map(({ slug, organization, name }) => (
          <option key={slug} value={slug}>
            {organization} / {name}
          </option>
        ))}
      </select>
    </>
  )
}

function BranchChoice({ branch, change }: { readonly branch: string | undefined; readonly change: Change }) {
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('branch')
    change({ branch: typeof typed === 'string' ? typed.trim() : '' })
  }
  return (
    <form onSubmit={submit} className="branch-choice">
      <input
        name="branch"
        aria-label="Branch"
        placeholder="Branch"
        defaultValue={branch}
        spellCheck={false}
        autoCapitalize="none"
      />
      {branch !== undefined && (
        <button type="button" className="quiet" onClick={() => change({ branch: undefined })}>
          Clear
        </button>
      )}
    </form>
  )
}
