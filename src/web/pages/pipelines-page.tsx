import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { pipelinesPage, type Slug, slugText } from '#web/address.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { pipelinesQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { PipelineRow } from './pipeline-row.tsx'
import { RunPipeline } from './run-pipeline.tsx'
import { useSlug } from './use-slug.ts'
import { useStatus } from './use-status.ts'

/** The pipelines of a project, newest first. */
export function PipelinesPage() {
  const slug = useSlug()
  const [search] = useSearchParams()
  const branch = search.get('branch') ?? ''
  return (
    <>
      <Crumbs trail={[{ name: 'Projects', to: '/' }]} />
      <div className="heading">
        <h1>
          <span className="soft">{slug.org} / </span>
          {slug.repo}
        </h1>
        <RunPipeline key={slugText(slug)} slug={slug} />
      </div>
      {branch !== '' && (
        <p>
          Only branch <span className="ref">{branch}</span> <a href={pipelinesPage(slug)}>Show all</a>
        </p>
      )}
      <PipelineList slug={slug} branch={branch} />
    </>
  )
}

function PipelineList({ slug, branch }: { readonly slug: Slug; readonly branch: string }) {
  const pipelines = useInfiniteQuery(pipelinesQuery(slug, branch))
  useTitle(`${slug.org}/${slug.repo}`, useStatus(pipelines.data?.pages[0]?.items[0]))
  return (
    <QueryView query={pipelines}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items)
        if (items.length === 0) return <p className="soft">No pipeline yet: push a commit, or run one.</p>
        return (
          <>
            <ul className="list">
              {items.map((pipeline) => (
                <PipelineRow key={pipeline.id} slug={slug} pipeline={pipeline} />
              ))}
            </ul>
            <MoreButton name="Older" list={pipelines} />
          </>
        )
      }}
    </QueryView>
  )
}
