import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Pipeline } from '#contract/v2/pipeline.ts'
import { pipelinePage, type Slug, workflowPage } from '#web/address.ts'
import { Status } from '#web/parts/status.tsx'
import { workflowsQuery } from '#web/read/queries.ts'
import { worstOf } from '#web/status-look.ts'
import { PipelineErrors } from './pipeline-errors.tsx'
import { PipelineFacts } from './pipeline-facts.tsx'

interface Props {
  readonly slug: Slug
  readonly pipeline: Pipeline
}

/** One pipeline in the list of its project, with its workflows. */
export function PipelineRow({ slug, pipeline }: Props) {
  const { data } = useQuery({ ...workflowsQuery(pipeline.id), enabled: pipeline.state !== 'errored' })
  const workflows = data?.items ?? []
  const status = worstOf(workflows.map((workflow) => workflow.status)) ?? pipeline.state
  return (
    <li className="item">
      <p className="row">
        <Status status={status} />
        <Link to={pipelinePage(slug, pipeline.number)}>
          <strong>#{pipeline.number}</strong> <span className="subject">{pipeline.vcs?.commit?.subject}</span>
        </Link>
      </p>
      <PipelineFacts pipeline={pipeline} />
      <PipelineErrors errors={pipeline.errors} />
      {workflows.length > 0 && (
        <ul className="row plain" aria-label={`Workflows of pipeline ${pipeline.number}`}>
          {workflows.map(({ id, name, status: one }) => (
            <li key={id}>
              <Link className="chip" to={workflowPage(slug, pipeline.number, id)}>
                <Status status={one} label={name} />
                <span className="unseen">: {one}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
