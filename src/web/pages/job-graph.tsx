import { Link } from 'react-router'
import { approveJob, type Workflow, type WorkflowJob } from '#contract/v2/workflow.ts'
import { jobPage, type Slug } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { columnsOf } from '#web/columns.ts'
import { ActionButton } from '#web/parts/action-button.tsx'
import { Status } from '#web/parts/status.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { Length } from '#web/parts/when.tsx'
import { useAction } from '#web/read/use-action.ts'

interface Props {
  readonly slug: Slug
  readonly workflow: Workflow
  readonly jobs: readonly WorkflowJob[]
}

/** The jobs of a workflow, in columns: what stands further right waits for something further left. */
export function JobGraph({ slug, workflow, jobs }: Props) {
  const names = new Map(jobs.map(({ id, name }) => [id, name]))
  if (jobs.length === 0) return <p className="soft">This workflow has no jobs</p>
  return (
    <div className="graph" tabIndex={0} role="group" aria-label="Jobs by what they wait for">
      {columnsOf(jobs).map((column, depth) => (
        <ul key={depth} className="plain">
          {column.map((job) => {
            const needs = job.dependencies.flatMap((id) => names.get(id) ?? [])
            return <JobBox key={job.id} slug={slug} workflow={workflow} job={job} needs={needs} />
          })}
        </ul>
      ))}
    </div>
  )
}

interface BoxProps {
  readonly slug: Slug
  readonly workflow: Workflow
  readonly job: WorkflowJob
  readonly needs: readonly string[]
}

function JobBox({ slug, workflow, job, needs }: BoxProps) {
  const to = jobPage(slug, workflow.pipeline_number, workflow.id, job.id)
  return (
    <li className="job">
      <strong>{job.type === 'approval' ? job.name : <Link to={to}>{job.name}</Link>}</strong>
      <span className="row">
        <Status status={job.status} />
        {job.type === 'build' && (
          <Length from={job.started_at} to={job.stopped_at} running={job.status === 'running'} />
        )}
      </span>
      {needs.length > 0 && <small className="soft">after {needs.join(', ')}</small>}
      {job.type === 'approval' && <Approval workflow={workflow.id} job={job} />}
    </li>
  )
}

function Approval({ workflow, job }: { readonly workflow: string; readonly job: WorkflowJob }) {
  const approve = useAction(() =>
    callV2(approveJob, { params: { id: workflow, approval_request_id: job.approval_request_id ?? job.id } }),
  )
  if (job.status !== 'on_hold' && job.status !== 'blocked') return null
  return (
    <>
      <ActionButton
        name={`Approve ${job.name}`}
        look="strong"
        consequence="Lets the jobs that wait for it start"
        refused={job.status === 'blocked' ? 'What comes before it has not ended yet' : undefined}
        busy={approve.isPending}
        act={() => approve.mutate(undefined)}
      />
      <Trouble error={approve.error} />
    </>
  )
}
