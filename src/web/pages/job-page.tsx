import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { JobPage as Job } from '#contract/rh/job.ts'
import { pipelinePage, pipelinesPage, type Slug, workflowPage } from '#web/address.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Status } from '#web/parts/status.tsx'
import { Length, When } from '#web/parts/when.tsx'
import { jobQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { StepList } from './step-list.tsx'
import { useSlug } from './use-slug.ts'

/** One job: its steps and their logs, as they are written. */
export function JobPage() {
  const slug = useSlug()
  const { number = '', workflow = '', job: id = '' } = useParams()
  const job = useQuery(jobQuery(id))
  return (
    <>
      <Crumbs
        trail={[
          { name: 'Projects', to: '/' },
          { name: `${slug.org}/${slug.repo}`, to: pipelinesPage(slug) },
          { name: `#${number}`, to: pipelinePage(slug, number) },
          { name: job.data?.workflow.name ?? 'Workflow', to: workflowPage(slug, number, workflow) },
        ]}
      />
      <QueryView query={job}>{(data) => <JobView key={data.id} slug={slug} job={data} />}</QueryView>
    </>
  )
}

function JobView({ slug, job }: { readonly slug: Slug; readonly job: Job }) {
  useTitle(`${job.name} #${job.pipeline.number} ${slug.org}/${slug.repo}`, job.status)
  return (
    <>
      <div className="heading">
        <h1>{job.name}</h1>
        <Status status={job.status} />
      </div>
      <p className="row soft">
        {job.number !== null && <span>job {job.number}</span>}
        <Length from={job.started_at} to={job.stopped_at} running={job.status === 'running'} />
        {job.started_at !== null && (
          <span>
            started <When at={job.started_at} />
          </span>
        )}
      </p>
      {job.waiting !== null && <p role="status">{job.waiting}</p>}
      {job.failure !== null && <p className="trouble">{job.failure}</p>}
      {job.messages
        .filter(({ message }) => message !== job.failure)
        .map(({ message }, at) => (
          <p key={at} className="note">
            {message}
          </p>
        ))}
      <StepList job={job} />
    </>
  )
}
