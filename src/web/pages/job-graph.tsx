import { memo, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Workflow, WorkflowJob } from '#contract/v2/workflow.ts'
import { jobPage, type Slug } from '#web/address.ts'
import { boxWidth, drawingOf } from '#web/graph/layout.ts'
import { StatusShape } from '#web/parts/status.tsx'
import { Length } from '#web/parts/when.tsx'
import { statusLook } from '#web/status-look.ts'
import { ApproveButton, isApprovable } from './approve-button.tsx'

interface Props {
  readonly slug: Slug
  readonly workflow: Workflow
  readonly jobs: readonly WorkflowJob[]
}

const low = 44
const high = 82

/** The jobs of a workflow, drawn from left to right by what they wait for. Drawn anew only when the jobs are others. */
export function JobGraph({ slug, workflow, jobs }: Props) {
  const [pointed, setPointed] = useState<string>()
  const shape = JSON.stringify(jobs.map((job) => [job.id, job.dependencies, isApprovable(job) ? high : low]))
  const drawing = useMemo(
    () =>
      drawingOf(
        (JSON.parse(shape) as [string, string[], number][]).map(([id, dependencies, height]) => ({
          id,
          dependencies,
          height,
        })),
      ),
    [shape],
  )
  if (jobs.length === 0) return <p className="empty">This workflow has no jobs</p>
  const byId = new Map(jobs.map((job) => [job.id, job]))
  return (
    <div className="graph panel" tabIndex={0} role="group" aria-label="Jobs by what they wait for">
      <svg width={drawing.width} height={drawing.height} aria-hidden="true">
        {drawing.edges.map(({ from, to, path }) => (
          <path key={`${from} ${to}`} d={path} className={pointed === from || pointed === to ? 'lit' : undefined} />
        ))}
      </svg>
      <ul style={{ width: drawing.width, height: drawing.height, marginTop: -drawing.height }}>
        {drawing.boxes.map(({ id, x, y, height }) => {
          const job = byId.get(id)
          if (!job) return null
          return (
            <li
              key={id}
              className={`job edge-${statusLook[job.status].tone}`}
              style={{ transform: `translate(${x}px, ${y}px)`, width: boxWidth, height }}
              onPointerEnter={() => setPointed(id)}
              onPointerLeave={() => setPointed(undefined)}
            >
              <JobBox slug={slug} workflow={workflow.id} number={workflow.pipeline_number} job={job} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface BoxProps {
  readonly slug: Slug
  readonly workflow: string
  readonly number: number
  readonly job: WorkflowJob
}

/** What a box says; the same as long as its job is. */
const JobBox = memo(function JobBox({ slug, workflow, number, job }: BoxProps) {
  return (
    <>
      <span className="job-head">
        <StatusShape status={job.status} />
        <JobName slug={slug} workflow={workflow} number={number} job={job} />
        {job.type === 'build' && (
          <Length from={job.started_at} to={job.stopped_at} running={job.status === 'running'} />
        )}
      </span>
      <ApproveButton slug={slug} workflow={workflow} job={job} />
    </>
  )
})

/** The name of a job, which leads to its page where it has one. */
export function JobName({ slug, workflow, number, job }: BoxProps) {
  const said = <span className="unseen">, {statusLook[job.status].label}</span>
  if (job.type === 'approval') {
    return (
      <span className="job-name" title={job.name}>
        {job.name}
        {said}
      </span>
    )
  }
  return (
    <Link className="job-name" title={job.name} to={jobPage(slug, number, workflow, job.id)}>
      {job.name}
      {said}
    </Link>
  )
}
