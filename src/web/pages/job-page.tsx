import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import type { JobPage as Job } from '#contract/rh/job.ts'
import { pipelinePage, pipelinesPage, type Slug, workflowPage } from '#web/address.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Status } from '#web/parts/status.tsx'
import { Tabs } from '#web/parts/tabs.tsx'
import { Length, When } from '#web/parts/when.tsx'
import { artifactsQuery, jobQuery } from '#web/read/queries.ts'
import { testsQuery } from '#web/read/test-queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { ArtifactTree } from './artifact-tree.tsx'
import { JobButtons } from './job-buttons.tsx'
import { LogSearch } from './log-search.tsx'
import { NodeChoice } from './node-choice.tsx'
import { StepList } from './step-list.tsx'
import { TestList } from './tests/test-list.tsx'
import { useSlug } from './use-slug.ts'

const nodeIn = (search: URLSearchParams): number => {
  const text = search.get('node') ?? ''
  return /^\d{1,4}$/.test(text) ? Number(text) : 0
}

/** One job: its steps and their logs as they are written, its tests and its artifacts. */
export function JobPage() {
  const slug = useSlug()
  const { number = '', workflow = '', job: id = '' } = useParams()
  const [search] = useSearchParams()
  const job = useQuery(jobQuery(id, nodeIn(search)))
  return (
    <>
      <Crumbs
        trail={[
          { name: 'Dashboard', to: '/' },
          { name: `${slug.org}/${slug.repo}`, to: pipelinesPage(slug) },
          { name: `#${number}`, to: pipelinePage(slug, number) },
          { name: job.data?.workflow.name ?? 'Workflow', to: workflowPage(slug, number, workflow) },
        ]}
      />
      <QueryView query={job}>{(data) => <JobView key={data.id} slug={slug} job={data} />}</QueryView>
    </>
  )
}

const views = ['steps', 'tests', 'artifacts'] as const

function JobView({ slug, job }: { readonly slug: Slug; readonly job: Job }) {
  const [search] = useSearchParams()
  const view = views.find((one) => one === (search.get('view') ?? search.get('tab'))) ?? 'steps'
  const tests = useQuery(testsQuery(job.id, '')).data
  const artifacts = useQuery(artifactsQuery(job.id)).data
  useTitle(`${job.name} #${job.pipeline.number} ${slug.org}/${slug.repo}`, job.status)
  const to = (wanted: string) => (wanted === 'steps' ? '?' : `?view=${wanted}`)
  return (
    <>
      <div className="heading">
        <h1>{job.name}</h1>
        <Status status={job.status} />
        <JobButtons slug={slug} job={job} />
      </div>
      <p className="facts">
        {job.number !== null && <span>job {job.number}</span>}
        <Length from={job.started_at} to={job.stopped_at} running={job.status === 'running'} />
        {job.started_at !== null && (
          <span>
            started <When at={job.started_at} />
          </span>
        )}
      </p>
      <Sentences job={job} />
      <Tabs
        name="Views of the job"
        tabs={[
          { name: 'Steps', to: to('steps'), current: view === 'steps', count: job.steps.length },
          {
            name: 'Tests',
            to: to('tests'),
            current: view === 'tests',
            count: tests?.failed ? tests.failed : tests?.total,
            bad: (tests?.failed ?? 0) > 0,
          },
          {
            name: 'Artifacts',
            to: to('artifacts'),
            current: view === 'artifacts',
            count: artifacts?.next_page_token === null ? artifacts.items.length : undefined,
          },
        ]}
      />
      {view === 'tests' && <TestList slug={slug} job={job.id} />}
      {view === 'artifacts' && <ArtifactTree job={job.id} many={job.nodes.length > 1} />}
      {view === 'steps' && (
        <>
          <div className="step-tools">
            <NodeChoice job={job} />
            <LogSearch job={job} />
          </div>
          <StepList key={job.node} job={job} />
        </>
      )}
    </>
  )
}

function Sentences({ job }: { readonly job: Job }) {
  return (
    <>
      {job.waits_for && (
        <p className={job.waits_for.for === 'approval' ? 'sentence hold' : 'sentence'} role="status">
          {job.waits_for.message}
        </p>
      )}
      {job.failure !== null && <p className="trouble">{job.failure}</p>}
      {job.messages
        .filter(({ message }) => message !== job.failure && message !== job.waiting)
        .map(({ message }, at) => (
          <p key={at} className="note">
            {message}
          </p>
        ))}
    </>
  )
}
