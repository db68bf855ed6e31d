import type { SearchHit } from '#contract/rh/search.ts'
import { allPipelinesPage, jobPage, pipelinePage, pipelinesPage, toSlug } from '#web/address.ts'

/** The page of something that was found. */
export function hitAddress(hit: SearchHit): string {
  const slug = toSlug(hit.project_slug)
  switch (hit.kind) {
    case 'project':
      return pipelinesPage(slug)
    case 'branch':
      return allPipelinesPage({ project: hit.project_slug, branch: hit.name })
    case 'pipeline':
      return pipelinePage(slug, hit.pipeline_number ?? 0)
    case 'test':
      return `${jobPage(slug, hit.pipeline_number ?? 0, hit.workflow_id ?? '', hit.job_id ?? '')}?tab=tests`
    default:
      return hit.kind satisfies never
  }
}

/** What a kind is called. */
export const kindNames: Readonly<Record<SearchHit['kind'], string>> = {
  project: 'Projects',
  branch: 'Branches',
  pipeline: 'Pipelines',
  test: 'Tests',
}

/** What one thing is called in a list of things that were found. */
export function hitText(hit: SearchHit): string {
  if (hit.kind === 'pipeline') return `#${hit.pipeline_number ?? ''} ${hit.name}`
  return hit.name
}
