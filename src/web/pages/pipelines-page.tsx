import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { filterIn, slugText } from '#web/address.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { ProjectTabs } from '#web/parts/project-head.tsx'
import { foundQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { PipelineFilters } from './pipeline-filters.tsx'
import { PipelineList } from './pipeline-list.tsx'
import { RunPipeline } from './run-pipeline.tsx'
import { useSlug } from './use-slug.ts'

/** The pipelines of a project, newest first. */
export function PipelinesPage() {
  const slug = useSlug()
  const [search] = useSearchParams()
  const filter = { ...filterIn(search), project: slugText(slug) }
  const newest = useQuery(foundQuery({ project: slugText(slug) })).data?.items[0]
  useTitle(`${slug.org}/${slug.repo}`, newest?.status ?? newest?.state)
  return (
    <>
      <Crumbs trail={[{ name: 'Dashboard', to: '/' }]} />
      <div className="heading">
        <h1>
          <span className="soft">{slug.org} / </span>
          {slug.repo}
        </h1>
        <RunPipeline key={slugText(slug)} slug={slug} />
      </div>
      <ProjectTabs slug={slug} />
      <PipelineFilters filter={filter} fixed />
      <PipelineList filter={filter} />
    </>
  )
}
