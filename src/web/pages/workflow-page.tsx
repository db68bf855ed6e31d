import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'react-router'
import type { Workflow } from '#contract/v2/workflow.ts'
import { pipelinePage, pipelinesPage, type Slug } from '#web/address.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Status } from '#web/parts/status.tsx'
import { Tabs } from '#web/parts/tabs.tsx'
import { Length, When } from '#web/parts/when.tsx'
import { jobsQuery, workflowQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { statusLook } from '#web/status-look.ts'
import { FailureList } from './failure-list.tsx'
import { JobGraph } from './job-graph.tsx'
import { JobList } from './job-list.tsx'
import { TimingView } from './timing-view.tsx'
import { useSlug } from './use-slug.ts'
import { WaitingList } from './waiting-list.tsx'
import { WorkflowButtons } from './workflow-buttons.tsx'

/** One workflow: its jobs and how they depend on each other, what failed, what waits, and what can be done with it. */
export function WorkflowPage() {
  const slug = useSlug()
  const { number = '', workflow: id = '' } = useParams()
  const workflow = useQuery(workflowQuery(id))
  return (
    <>
      <Crumbs
        trail={[
          { name: 'Dashboard', to: '/' },
          { name: `${slug.org}/${slug.repo}`, to: pipelinesPage(slug) },
          { name: `#${number}`, to: pipelinePage(slug, number) },
        ]}
      />
      <QueryView query={workflow}>{(data) => <WorkflowView key={data.id} slug={slug} workflow={data} />}</QueryView>
    </>
  )
}

const views = ['graph', 'list', 'timing'] as const
const viewNames = { graph: 'Graph', list: 'List', timing: 'Timing' } as const

function WorkflowView({ slug, workflow }: { readonly slug: Slug; readonly workflow: Workflow }) {
  const jobs = useQuery(jobsQuery(workflow.id))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const view = views.find((one) => one === search.get('view')) ?? 'graph'
  useTitle(`${workflow.name} #${workflow.pipeline_number} ${slug.org}/${slug.repo}`, workflow.status)
  return (
    <>
      <div className="heading">
        <h1>{workflow.name}</h1>
        <Status status={workflow.status} />
        {jobs.data && <WorkflowButtons slug={slug} workflow={workflow} jobs={jobs.data.items} chosen={chosen} />}
      </div>
      <p className="facts">
        <Length from={workflow.created_at} to={workflow.stopped_at} running={workflow.stopped_at === null} />
        <span>
          started <When at={workflow.created_at} />
        </span>
      </p>
      {workflow.stopped_at === null && <WaitingList workflow={workflow.id} />}
      {statusLook[workflow.status].tone === 'bad' && (
        <FailureList slug={slug} number={workflow.pipeline_number} workflow={workflow.id} />
      )}
      <Tabs
        name="Views of the workflow"
        tabs={views.map((one) => ({
          name: viewNames[one],
          to: one === 'graph' ? pathname : `${pathname}?view=${one}`,
          current: one === view,
        }))}
      />
      <h2 className="unseen">Jobs</h2>
      <QueryView query={jobs}>
        {({ items }) => {
          if (view === 'list')
            return <JobList slug={slug} workflow={workflow} jobs={items} chosen={chosen} choose={setChosen} />
          if (view === 'timing') return <TimingView slug={slug} workflow={workflow} jobs={items} />
          return <JobGraph slug={slug} workflow={workflow} jobs={items} />
        }}
      </QueryView>
    </>
  )
}
