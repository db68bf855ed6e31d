import { useInfiniteQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { JobPage } from '#contract/rh/job.ts'
import { plain } from '#web/log/look.ts'
import { permalink } from '#web/log/permalink.ts'
import { split } from '#web/log/split.ts'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { searchQuery } from '#web/read/queries.ts'

const steps = (search: URLSearchParams): number | undefined => {
  const text = search.get('in') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined
}

/** Searches the logs of a job on the server, across its steps or in one; what is looked for is in the address. */
export function LogSearch({ job }: { readonly job: JobPage }) {
  const [search, setSearch] = useSearchParams()
  const find = search.get('find') ?? ''
  const step = steps(search)
  const change = (wanted: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(wanted)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    setSearch(next)
  }
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('find')
    change({ find: typeof typed === 'string' ? typed : '' })
  }
  return (
    <>
      <form role="search" className="log-search" onSubmit={submit}>
        <input
          key={find}
          name="find"
          type="search"
          aria-label="Search the logs"
          placeholder="Search the logs"
          defaultValue={find}
          maxLength={200}
          spellCheck={false}
        />
        <select
          aria-label="Where to search"
          value={step ?? ''}
          onChange={(event) => change({ in: event.target.value })}
        >
          <option value="">in all steps</option>
          {job.steps.map(({ index, name }) => (
            <option key={index} value={index}>
              in {name}
            </option>
          ))}
        </select>
        <button type="submit">Search</button>
        {find !== '' && (
          <button type="button" className="bare" onClick={() => change({ find: '', in: '' })}>
            Clear
          </button>
        )}
      </form>
      {find !== '' && <Found job={job} find={find} step={step} query={search.toString()} />}
    </>
  )
}

/** So many lines are worth stopping for. */
const enough = 20

interface FoundProps {
  readonly job: JobPage
  readonly find: string
  readonly step: number | undefined
  readonly query: string
}

function Found({ job, find, step, query }: FoundProps) {
  const found = useInfiniteQuery(searchQuery(job.id, job.node, find, step))
  const { hasNextPage, isFetching, fetchNextPage } = found
  const few = (found.data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0) < enough
  // A large log is looked through in several questions: as long as there is little to show, the next one is asked.
  useEffect(() => {
    if (few && hasNextPage && !isFetching) void fetchNextPage()
  }, [few, hasNextPage, isFetching, fetchNextPage])
  const names = new Map(job.steps.map(({ index, name }) => [index, name]))
  return (
    <div className="found panel">
      <QueryView query={found}>
        {({ pages }) => {
          const lines = pages.flatMap((page) => page.items)
          return (
            <>
              <p role="status" className="small soft">
                {lines.length === 0 ? 'No line' : lines.length === 1 ? 'One line' : `${lines.length} lines`}
                {found.hasNextPage ? ' so far' : ''}
                {isFetching ? ', searching on…' : ''}
              </p>
              <ol>
                {lines.map(({ step: index, line, text }) => (
                  <li key={`${index} ${line}`}>
                    <Link to={`?${query}${permalink({ step: index, line })}`} preventScrollReset>
                      <span className="soft">
                        {names.get(index)}, line {line.toLocaleString()}
                      </span>
                      <code>
                        {split([{ text, look: plain }], find.toLowerCase()).map((part, at) =>
                          part.found ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>,
                        )}
                      </code>
                    </Link>
                  </li>
                ))}
              </ol>
              <MoreButton name="Search on" list={found} />
            </>
          )
        }}
      </QueryView>
    </div>
  )
}
