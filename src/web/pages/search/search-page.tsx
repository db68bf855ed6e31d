import { useInfiniteQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { searchKinds, type SearchHit } from '#contract/rh/search.ts'
import { searchPage } from '#web/address.ts'
import { type Column, DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Tabs } from '#web/parts/tabs.tsx'
import { When } from '#web/parts/when.tsx'
import { itemsOf } from '#web/read/pages.ts'
import { manyQuery } from '#web/read/search-queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { hitAddress, hitText, kindNames } from './hit-address.ts'

/** Everything that has some words, one kind at a time. */
export function SearchPage() {
  const [search] = useSearchParams()
  const words = search.get('q') ?? ''
  const kind = searchKinds.find((one) => one === search.get('kind')) ?? 'project'
  useTitle(words === '' ? 'Search' : `${words} · Search`)
  return (
    <>
      <h1>Search</h1>
      <SearchForm key={words} words={words} kind={kind} />
      <Tabs
        name="Kinds"
        tabs={searchKinds.map((one) => ({ name: kindNames[one], to: searchPage(words, one), current: one === kind }))}
      />
      {words !== '' && <Found words={words} kind={kind} />}
    </>
  )
}

function SearchForm({ words, kind }: { readonly words: string; readonly kind: SearchHit['kind'] }) {
  const navigate = useNavigate()
  const [text, setText] = useState(words)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void navigate(searchPage(text.trim(), kind))
  }
  return (
    <form role="search" className="filters" onSubmit={submit}>
      <input aria-label="Words" type="search" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit" className="strong">
        Search
      </button>
    </form>
  )
}

const ofProjects: readonly Column<SearchHit>[] = [
  { name: 'What', cell: (hit) => <Link to={hitAddress(hit)}>{hitText(hit)}</Link> },
  { name: 'Project', cell: (hit) => hit.project_slug },
]

/** What is of a branch, and has a time. */
const ofOthers: readonly Column<SearchHit>[] = [
  ...ofProjects,
  { name: 'Branch', cell: ({ branch }) => branch !== null && <span className="ref">{branch}</span> },
  { name: 'When', cell: ({ at }) => at !== null && <When at={at} /> },
]

function Found({ words, kind }: { readonly words: string; readonly kind: SearchHit['kind'] }) {
  const found = useInfiniteQuery(manyQuery(words, kind))
  return (
    <>
      <QueryView query={found}>
        {(data) => (
          <DataTable
            caption={kindNames[kind]}
            empty={
              found.hasNextPage
                ? 'Nothing among the newest pipelines. Look further back with the button below.'
                : 'Nothing has all these words. Branches, pipelines and tests are looked for in the projects that you follow.'
            }
            rows={itemsOf(data)}
            keyOf={(hit) => hitAddress(hit) + hit.name}
            columns={kind === 'project' ? ofProjects : ofOthers}
          />
        )}
      </QueryView>
      <MoreButton name="More" list={found} />
    </>
  )
}
