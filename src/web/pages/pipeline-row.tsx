import { Link } from 'react-router'
import type { PipelineEntry } from '#contract/rh/pipelines.ts'
import { pipelinePage, pipelinesPage, toSlug, workflowPage } from '#web/address.ts'
import { Status } from '#web/parts/status.tsx'
import { Length, When } from '#web/parts/when.tsx'
import { statusLook } from '#web/status-look.ts'
import { PipelineErrors } from './pipeline-errors.tsx'
import { triggerWords } from './pipeline-facts.tsx'

interface Props {
  readonly pipeline: PipelineEntry
  /** Whether it says which project it is of. */
  readonly named: boolean
}

/** One pipeline in a list, with its workflows. */
export function PipelineRow({ pipeline, named }: Props) {
  const slug = toSlug(pipeline.project_slug)
  const status = pipeline.status ?? pipeline.state
  const ended = pipeline.workflows.map((workflow) => workflow.stopped_at)
  const last = ended.includes(null) ? null : (ended.toSorted().at(-1) ?? null)
  return (
    <li className={`pipeline edge-${statusLook[status].tone}`}>
      <Status status={status} />
      <div className="what">
        <Link className="title" to={pipelinePage(slug, pipeline.number)}>
          <span className="number">#{pipeline.number}</span> {pipeline.subject ?? pipeline.revision.slice(0, 7)}
        </Link>
        <p className="facts">
          {named && (
            <Link to={pipelinesPage(slug)}>
              {slug.org}/{slug.repo}
            </Link>
          )}
          <Ref pipeline={pipeline} />
          <code title={pipeline.revision}>{pipeline.revision.slice(0, 7)}</code>
          <span>
            {triggerWords[pipeline.trigger]}, {pipeline.actor}
          </span>
        </p>
      </div>
      {pipeline.workflows.length > 0 && (
        <ul className="chips" aria-label={`Workflows of pipeline ${pipeline.number}`}>
          {pipeline.workflows.map(({ id, name, status: one }) => (
            <li key={id}>
              <Link className={`chip ${statusLook[one].tone}`} to={workflowPage(slug, pipeline.number, id)}>
                <Status status={one} label={name} />
                <span className="unseen">: {one}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p className="times">
        <When at={pipeline.created_at} />
        {pipeline.workflows.length > 0 && <Length from={pipeline.created_at} to={last} running={last === null} />}
      </p>
      <PipelineErrors errors={pipeline.errors} />
    </li>
  )
}

function Ref({ pipeline: { project_slug: slug, branch, tag } }: { readonly pipeline: PipelineEntry }) {
  if (branch !== null) {
    return (
      <Link className="ref" to={`${pipelinesPage(toSlug(slug))}?${new URLSearchParams({ branch }).toString()}`}>
        <span className="unseen">branch </span>
        {branch}
      </Link>
    )
  }
  return tag === null ? null : <span className="ref">tag {tag}</span>
}
