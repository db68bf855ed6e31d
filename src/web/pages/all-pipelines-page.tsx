import { useSearchParams } from 'react-router'
import { filterIn } from '#web/address.ts'
import { useTitle } from '#web/read/use-title.ts'
import { PipelineFilters } from './pipeline-filters.tsx'
import { PipelineList } from './pipeline-list.tsx'

/** The pipelines of every project that the reader may see, newest first. */
export function AllPipelinesPage() {
  useTitle('Pipelines')
  const [search] = useSearchParams()
  const filter = filterIn(search)
  return (
    <>
      <h1>Pipelines</h1>
      <PipelineFilters filter={filter} />
      <PipelineList filter={filter} named />
    </>
  )
}
