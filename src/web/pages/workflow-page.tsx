import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Workflow } from '#contract/v2/workflow.ts'
import { pipelinePage, pipelinesPage, type Slug } from '#web/address.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Status } from '#web/parts/status.tsx'
import { Length, When } from '#web/parts/when.tsx'
import { jobsQuery, workflowQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { JobGraph } from './job-graph.tsx'
import { useSlug } from './use-slug.ts'
import { WorkflowButtons } from './workflow-buttons.tsx'

/** One workflow: its jobs in the order in which they depend on each other, and what can be done with it. */
export function WorkflowPage() {
  const slug = useSlug()
  const { number = '', workflow: id = '' } = useParams()
  const workflow = useQuery(workflowQuery(id))
  return (
    <>
      <Crumbs
        trail={[
          { name: 'Projects', to: '/' },
          { name: `${slug.org}/${slug.repo}`, to: pipelinesPage(slug) },
          { name: `#${number}`, to: pipelinePage(slug, number) },
        ]}
      />
      <QueryView query={workflow}>{(data) => <WorkflowView slug={slug} workflow={data} />}</QueryView>
    </>
  )
}

function WorkflowView({ slug, workflow }: { readonly slug: Slug; readonly workflow: Workflow }) {
  const jobs = useQuery(jobsQuery(workflow.id))
  useTitle(`${workflow.name} #${workflow.pipeline_number} ${slug.org}/${slug.repo}`, workflow.status)
  return (
    <>
      <div className="heading">
        <h1>{workflow.name}</h1>
        <Status status={workflow.status} />
      </div>
      <p className="row soft">
        <Length from={workflow.created_at} to={workflow.stopped_at} running={workflow.stopped_at === null} />
        <span>
          started <When at={workflow.created_at} />
        </span>
      </p>
      <QueryView query={jobs}>
        {({ items }) => (
          <>
            <WorkflowButtons slug={slug} workflow={workflow} jobs={items} />
            <h2 className="unseen">Jobs</h2>
            <JobGraph slug={slug} workflow={workflow} jobs={items} />
          </>
        )}
      </QueryView>
    </>
  )
}
