import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams, useSearchParams } from 'react-router'
import type { Pipeline } from '#contract/v2/pipeline.ts'
import { pipelinesPage, type Slug } from '#web/address.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Status } from '#web/parts/status.tsx'
import { Tabs } from '#web/parts/tabs.tsx'
import { pipelineQuery, workflowsQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { worstOf } from '#web/status-look.ts'
import { ForkApproval } from './fork-approval.tsx'
import { PipelineConfigView } from './pipeline-config-view.tsx'
import { PipelineErrors } from './pipeline-errors.tsx'
import { PipelineFacts } from './pipeline-facts.tsx'
import { useSlug } from './use-slug.ts'
import { WorkflowRow } from './workflow-row.tsx'

/** One pipeline: its workflows, what went wrong before there were any, and the configuration it ran. */
export function PipelinePage() {
  const slug = useSlug()
  const { number = '' } = useParams()
  const pipeline = useQuery(pipelineQuery(slug, number))
  return (
    <>
      <Crumbs
        trail={[
          { name: 'Dashboard', to: '/' },
          { name: `${slug.org}/${slug.repo}`, to: pipelinesPage(slug) },
        ]}
      />
      <QueryView query={pipeline}>{(data) => <PipelineView slug={slug} pipeline={data} />}</QueryView>
    </>
  )
}

function PipelineView({ slug, pipeline }: { readonly slug: Slug; readonly pipeline: Pipeline }) {
  const workflows = useQuery(workflowsQuery(pipeline.id))
  const items = workflows.data?.items ?? []
  // What was rerun has been replaced: of each name only the newest counts.
  const newest = items.filter((one, at) => items.findIndex((other) => other.name === one.name) === at)
  const status = worstOf(newest.map((workflow) => workflow.status)) ?? pipeline.state
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  // A pipeline without workflows has only its configuration to show.
  const view = search.get('view') === 'config' || pipeline.state === 'errored' ? 'config' : 'workflows'
  useTitle(`#${pipeline.number} ${slug.org}/${slug.repo}`, status)
  return (
    <>
      <div className="heading">
        <h1>
          <span className="soft">#{pipeline.number}</span> {pipeline.vcs?.commit?.subject ?? 'Pipeline'}
        </h1>
        <Status status={status} />
      </div>
      <PipelineFacts pipeline={pipeline} />
      <ForkApproval pipeline={pipeline} />
      <PipelineErrors errors={pipeline.errors} linked />
      <Tabs
        name="Views of the pipeline"
        tabs={[
          { name: 'Workflows', to: pathname, current: view === 'workflows', count: items.length },
          { name: 'Configuration', to: `${pathname}?view=config`, current: view === 'config' },
        ]}
      />
      {view === 'config' ? (
        <PipelineConfigView pipeline={pipeline} />
      ) : items.length === 0 ? (
        <p className="empty">{workflows.isPending ? 'Loading…' : 'No workflow yet'}</p>
      ) : (
        <ul className="list panel">
          {items.map((workflow) => (
            <WorkflowRow key={workflow.id} slug={slug} workflow={workflow} replaced={!newest.includes(workflow)} />
          ))}
        </ul>
      )}
    </>
  )
}
