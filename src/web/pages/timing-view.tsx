import type { Workflow, WorkflowJob } from '#contract/v2/workflow.ts'
import type { Slug } from '#web/address.ts'
import { useNow } from '#web/read/use-now.ts'
import { statusLook } from '#web/status-look.ts'
import { lengthOf } from '#web/times.ts'
import { type Bar, type TimedJob, waterfallOf } from '#web/waterfall.ts'
import { JobName } from './job-graph.tsx'

interface Props {
  readonly slug: Slug
  readonly workflow: Workflow
  readonly jobs: readonly WorkflowJob[]
}

/** How the time of a workflow went: when each job was queued and ran, and which of them decided how long it took. */
export function TimingView({ slug, workflow, jobs }: Props) {
  const now = useNow(workflow.stopped_at === null ? 1000 : undefined)
  const { bars, begin, end, path } = waterfallOf(jobs.map(toTimed), Date.parse(workflow.created_at), now)
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const span = Math.max(1, end - begin)
  if (bars.length === 0) return <p className="empty">Nothing has run yet</p>
  return (
    <>
      <p>
        <strong>{lengthOf(end - begin)}</strong> {workflow.stopped_at === null ? 'so far' : 'in all'}. Decided by:{' '}
        {path.map((id) => byId.get(id)?.name).join(' → ') || 'nothing yet'}
      </p>
      <p className="legend soft small" aria-hidden="true">
        <span className="swatch queued" /> queued <span className="swatch running" /> ran{' '}
        <span className="swatch critical" /> decided the end
      </p>
      <ol className="waterfall panel">
        {bars.map((bar) => {
          const job = byId.get(bar.id)
          return (
            job && (
              <li key={bar.id} className={bar.critical ? 'critical' : undefined}>
                <JobName slug={slug} workflow={workflow.id} number={workflow.pipeline_number} job={job} />
                <Track bar={bar} begin={begin} span={span} tone={statusLook[job.status].tone} />
                <span className="small soft took">
                  <span className="unseen">{words(bar)}</span>
                  <span aria-hidden="true">{lengthOf(bar.end - (bar.started ?? bar.ready))}</span>
                </span>
              </li>
            )
          )
        })}
      </ol>
    </>
  )
}

interface TrackProps {
  readonly bar: Bar
  readonly begin: number
  readonly span: number
  readonly tone: string
}

function Track({ bar, begin, span, tone }: TrackProps) {
  const place = (from: number, to: number) => ({
    left: `${((from - begin) / span) * 100}%`,
    width: `${(Math.max(0, to - from) / span) * 100}%`,
  })
  return (
    <span className="track" title={words(bar)} aria-hidden="true">
      {(bar.started ?? bar.end) > bar.ready && (
        <span className="queued" style={place(bar.ready, bar.started ?? bar.end)} />
      )}
      {bar.started !== undefined && <span className={`ran ${tone}`} style={place(bar.started, bar.end)} />}
    </span>
  )
}

function words({ ready, started, end, critical }: Bar): string {
  const queued = `queued ${lengthOf((started ?? end) - ready)}`
  const ran = started === undefined ? '' : `, ran ${lengthOf(end - started)}`
  return queued + ran + (critical ? ', on the critical path' : '')
}

const toTimed = ({ id, dependencies, started_at: started, stopped_at: stopped }: WorkflowJob): TimedJob => ({
  id,
  dependencies,
  started: started === null ? undefined : Date.parse(started),
  stopped: stopped === null ? undefined : Date.parse(stopped),
})
