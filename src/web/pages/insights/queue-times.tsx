import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { type Insight, waitingQuery } from '#web/read/insight-queries.ts'
import { projectQuery } from '#web/read/queries.ts'
import { lengthOf } from '#web/times.ts'
import { Chart, type Series } from './chart.tsx'
import { spanStart, spanStarts } from './spans.ts'

/** How long jobs waited for agents, and which took the most time. */
export function QueueTimes({ about }: { readonly about: Insight }) {
  const { data: project } = useQuery(projectQuery(about.slug))
  const waiting = useQuery({ ...waitingQuery(project?.id ?? '', about.window), enabled: project !== undefined })
  return (
    <>
      <h2 className="unseen">Queue</h2>
      <p className="soft">What jobs waited for an agent. Much waiting beside little running: agents are missing.</p>
      <QueryView query={waiting}>
        {({ queue, busy, longest_jobs }) => (
          <>
            {busy.length > 0 && <BusyChart busy={busy} window={about.window} />}
            <DataTable
              caption="Waiting by resource class"
              empty="No job waited in this window."
              rows={queue}
              keyOf={({ resource_class }) => resource_class}
              columns={[
                { name: 'Class', cell: ({ resource_class }) => resource_class },
                { name: 'Jobs', number: true, cell: ({ jobs }) => jobs },
                { name: 'Median', number: true, cell: ({ median_ms }) => lengthOf(median_ms) },
                { name: '95 % within', number: true, cell: ({ p95_ms }) => lengthOf(p95_ms) },
                { name: 'Longest', number: true, cell: ({ max_ms }) => lengthOf(max_ms) },
                { name: 'Waited in all', number: true, cell: ({ total_ms }) => lengthOf(total_ms) },
                { name: 'Ran in all', number: true, cell: ({ running_ms }) => lengthOf(running_ms) },
              ]}
            />
            <DataTable
              seenCaption
              caption="Jobs that took the most time"
              empty="No job ended in this window."
              rows={longest_jobs}
              keyOf={({ workflow, name }) => `${workflow}\n${name}`}
              columns={[
                { name: 'Job', cell: ({ name }) => name },
                { name: 'Workflow', cell: ({ workflow }) => workflow },
                { name: 'Runs', number: true, cell: ({ runs }) => runs },
                { name: 'Median', number: true, cell: ({ median_ms }) => lengthOf(median_ms) },
                { name: 'In all', number: true, cell: ({ total_ms }) => lengthOf(total_ms) },
              ]}
            />
          </>
        )}
      </QueryView>
    </>
  )
}

interface Busy {
  readonly timestamp: string
  readonly agents: number
}

const agentText = (agents: number | undefined): string => (Math.round((agents ?? 0) * 100) / 100).toString()

function BusyChart({ busy, window }: { readonly busy: readonly Busy[]; readonly window: Insight['window'] }) {
  const [now] = useState(Date.now)
  const hourly = window === 'last-24-hours'
  const { times, series } = useMemo(() => {
    const starts = spanStarts(window, now)
    const found = new Map(busy.map(({ timestamp, agents }) => [spanStart(window, Date.parse(timestamp)), agents]))
    const values = starts.map((at) => found.get(at) ?? 0)
    const agents: Series = { name: 'Agents', colour: '--busy', bars: true, values }
    return { times: starts, series: [agents] }
  }, [busy, window, now])
  return (
    <div className="charts">
      <Chart title="Agents at work for this project" times={times} series={series} textOf={agentText} hourly={hourly} />
    </div>
  )
}
