import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Workflow } from '#contract/v2/workflow.ts'
import { jobPage, type Slug, workflowPage } from '#web/address.ts'
import { Status, StatusShape } from '#web/parts/status.tsx'
import { Length, When } from '#web/parts/when.tsx'
import { jobsQuery } from '#web/read/queries.ts'
import { statusLook } from '#web/status-look.ts'
import { ApproveButton } from './approve-button.tsx'

interface Props {
  readonly slug: Slug
  readonly workflow: Workflow
  /** Whether it was run again since. */
  readonly replaced: boolean
}

const mostJobs = 40

/** One workflow of a pipeline, with its jobs, and approvals where they are wanted. */
export function WorkflowRow({ slug, workflow, replaced }: Props) {
  const { id, pipeline_number: number } = workflow
  const jobs = useQuery(jobsQuery(id)).data?.items ?? []
  return (
    <li className={`workflow-row edge-${statusLook[workflow.status].tone}`}>
      <Status status={workflow.status} />
      <div className="what">
        <Link className="title" to={workflowPage(slug, number, id)}>
          {workflow.name}
        </Link>
        {replaced && <span className="soft small"> run again since</span>}
        <ul className="job-strip" aria-label={`Jobs of ${workflow.name}`}>
          {jobs.slice(0, mostJobs).map((job) => (
            <li key={job.id}>
              <StatusShape status={job.status} />
              <span className="unseen">{statusLook[job.status].label}: </span>
              {job.type === 'build' ? (
                <Link to={jobPage(slug, number, id, job.id)}>{job.name}</Link>
              ) : (
                <span>{job.name}</span>
              )}
              {job.status === 'on_hold' && <ApproveButton slug={slug} workflow={id} job={job} />}
            </li>
          ))}
          {jobs.length > mostJobs && <li className="soft">and {jobs.length - mostJobs} more</li>}
        </ul>
      </div>
      <p className="times">
        <When at={workflow.created_at} />
        <Length from={workflow.created_at} to={workflow.stopped_at} running={workflow.stopped_at === null} />
      </p>
    </li>
  )
}
