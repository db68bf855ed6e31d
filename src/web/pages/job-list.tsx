import type { Workflow, WorkflowJob } from '#contract/v2/workflow.ts'
import type { Slug } from '#web/address.ts'
import { Status } from '#web/parts/status.tsx'
import { Length } from '#web/parts/when.tsx'
import { ApproveButton } from './approve-button.tsx'
import { JobName } from './job-graph.tsx'

interface Props {
  readonly slug: Slug
  readonly workflow: Workflow
  readonly jobs: readonly WorkflowJob[]
  readonly chosen: readonly string[]
  readonly choose: (ids: readonly string[]) => void
}

/** The jobs of a workflow one under the other, to be read, and chosen for a rerun. */
export function JobList({ slug, workflow, jobs, chosen, choose }: Props) {
  const names = new Map(jobs.map(({ id, name }) => [id, name]))
  const toggle = (id: string) => choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <div className="table-scroll panel" tabIndex={0} role="region" aria-label="Jobs">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Chosen</span>
            </th>
            <th scope="col">Job</th>
            <th scope="col">Status</th>
            <th scope="col">After</th>
            <th scope="col">Duration</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <td>
                {job.type === 'build' && (
                  <input
                    type="checkbox"
                    aria-label={`Choose ${job.name}`}
                    checked={chosen.includes(job.id)}
                    onChange={() => toggle(job.id)}
                  />
                )}
              </td>
              <td>
                <JobName slug={slug} workflow={workflow.id} number={workflow.pipeline_number} job={job} />
              </td>
              <td>
                <Status status={job.status} /> <ApproveButton slug={slug} workflow={workflow.id} job={job} />
              </td>
              <td className="soft">{job.dependencies.flatMap((id) => names.get(id) ?? []).join(', ')}</td>
              <td>
                {job.type === 'build' && (
                  <Length from={job.started_at} to={job.stopped_at} running={job.status === 'running'} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
