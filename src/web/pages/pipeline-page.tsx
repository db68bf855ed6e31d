import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Pipeline } from '#contract/v2/pipeline.ts'
import type { Workflow } from '#contract/v2/workflow.ts'
import { pipelinesPage, type Slug, workflowPage } from '#web/address.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Status } from '#web/parts/status.tsx'
import { Length, When } from '#web/parts/when.tsx'
import { pipelineQuery, workflowsQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { worstOf } from '#web/status-look.ts'
import { PipelineConfigView } from './pipeline-config-view.tsx'
import { PipelineErrors } from './pipeline-errors.tsx'
import { PipelineFacts } from './pipeline-facts.tsx'
import { useSlug } from './use-slug.ts'

/** One pipeline: its workflows, what went wrong before there were any, and the configuration it ran. */
export function PipelinePage() {
  const slug = useSlug()
  const { number = '' } = useParams()
  const pipeline = useQuery(pipelineQuery(slug, number))
  return (
    <>
      <Crumbs
        trail={[
          { name: 'Projects', to: '/' },
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
  const status = worstOf(items.map((workflow) => workflow.status)) ?? pipeline.state
  useTitle(`#${pipeline.number} ${slug.org}/${slug.repo}`, status)
  return (
    <>
      <div className="heading">
        <h1>Pipeline #{pipeline.number}</h1>
        <Status status={status} />
      </div>
      {pipeline.vcs?.commit && <p className="subject">{pipeline.vcs.commit.subject}</p>}
      <PipelineFacts pipeline={pipeline} />
      <PipelineErrors errors={pipeline.errors} linked />
      <h2>Workflows</h2>
      {items.length === 0 ? (
        <p className="soft">{workflows.isPending ? 'Loading…' : 'None'}</p>
      ) : (
        <ul className="list">
          {items.map((workflow) => (
            <WorkflowRow key={workflow.id} slug={slug} workflow={workflow} />
          ))}
        </ul>
      )}
      <PipelineConfigView pipeline={pipeline} />
    </>
  )
}

function WorkflowRow({ slug, workflow }: { readonly slug: Slug; readonly workflow: Workflow }) {
  return (
    <li className="item row">
      <Status status={workflow.status} />
      <Link to={workflowPage(slug, workflow.pipeline_number, workflow.id)}>
        <strong>{workflow.name}</strong>
      </Link>
      <Length from={workflow.created_at} to={workflow.stopped_at} running={workflow.stopped_at === null} />
      <span className="soft">
        <When at={workflow.created_at} />
      </span>
    </li>
  )
}
