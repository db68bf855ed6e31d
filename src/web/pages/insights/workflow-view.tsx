import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { WorkflowRun } from '#contract/v2/metrics.ts'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { type Insight, jobInsightsQuery, runsQuery } from '#web/read/insight-queries.ts'
import { lengthOf } from '#web/times.ts'
import { Chart, type Series } from './chart.tsx'
import { CriticalPath } from './critical-path.tsx'
import { percentText, spansOf, windowMs } from './spans.ts'
import { TestTables } from './test-tables.tsx'
import { secondsText } from './workflow-table.tsx'

interface Props {
  readonly about: Insight
  readonly workflow: string
}

/** One workflow through time, its jobs and its tests. */
export function WorkflowView({ about, workflow }: Props) {
  const [now] = useState(Date.now)
  const since = new Date(now - windowMs[about.window]).toISOString()
  const runs = useQuery(runsQuery(about, workflow, since))
  return (
    <>
      <QueryView query={runs}>
        {({ runs: found, whole }) => (
          <>
            {!whole && <p className="note">There were more runs than are drawn: only the newest {found.length} are.</p>}
            <Charts runs={found} window={about.window} now={now} />
            <CriticalPath runs={found} />
          </>
        )}
      </QueryView>
      <JobTable about={about} workflow={workflow} />
      <TestTables about={about} workflow={workflow} />
    </>
  )
}

const durationText = (seconds: number | undefined): string => {
  if (seconds === undefined) return '–'
  return seconds < 60 ? `${Math.round(seconds * 10) / 10} s` : lengthOf(seconds * 1000)
}
const countText = (count: number | undefined): string => String(count ?? 0)

interface ChartsProps {
  readonly runs: readonly WorkflowRun[]
  readonly window: Insight['window']
  readonly now: number
}

function Charts({ runs, window, now }: ChartsProps) {
  const { times, success, duration, throughput } = useMemo(() => {
    const spans = spansOf(runs, window, now)
    const line = (name: string, colour: string, values: Series['values'], bars = false): Series => ({
      name,
      colour,
      values,
      bars,
    })
    return {
      times: spans.map(({ from }) => from),
      success: [
        line(
          'Success',
          '--good',
          spans.map((span) => span.success),
        ),
      ],
      duration: [
        line(
          '95 % within',
          '--copper',
          spans.map((span) => span.p95),
        ),
        line(
          'Median',
          '--link',
          spans.map((span) => span.median),
        ),
      ],
      throughput: [
        line(
          'Runs',
          '--busy',
          spans.map((span) => span.runs),
          true,
        ),
        line(
          'Failed',
          '--bad',
          spans.map((span) => span.failed),
          true,
        ),
      ],
    }
  }, [runs, window, now])
  const same = { times, hourly: window === 'last-24-hours' }
  return (
    <div className="charts">
      <Chart title="Success" series={success} textOf={percentText} most={1.05} {...same} />
      <Chart title="Duration" series={duration} textOf={durationText} {...same} />
      <Chart title="Runs" series={throughput} textOf={countText} {...same} />
    </div>
  )
}

function JobTable({ about, workflow }: Props) {
  const jobs = useQuery(jobInsightsQuery(about, workflow))
  return (
    <>
      <h3>Jobs</h3>
      <QueryView query={jobs}>
        {({ items }) => (
          <DataTable
            caption="Jobs"
            empty="No job ended in this window."
            rows={items}
            keyOf={({ name }) => name}
            columns={[
              { name: 'Job', cell: ({ name }) => name },
              { name: 'Runs', number: true, cell: ({ metrics }) => metrics.total_runs },
              { name: 'Success', number: true, cell: ({ metrics }) => percentText(metrics.success_rate) },
              { name: 'Median', number: true, cell: ({ metrics }) => secondsText(metrics.duration_metrics.median) },
              { name: '95 % within', number: true, cell: ({ metrics }) => secondsText(metrics.duration_metrics.p95) },
              { name: 'Longest', number: true, cell: ({ metrics }) => secondsText(metrics.duration_metrics.max) },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}
