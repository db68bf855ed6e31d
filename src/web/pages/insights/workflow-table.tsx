import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { type Insight, workflowInsightsQuery } from '#web/read/insight-queries.ts'
import { lengthOf } from '#web/times.ts'
import { insightsAddress } from './insights-address.ts'
import { percentText } from './spans.ts'

/** Seconds as a person reads them; nothing where no run has ended. */
export const secondsText = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '–' : lengthOf(seconds * 1000)

/** The workflows of a project, each with how it does. */
export function WorkflowTable({ about }: { readonly about: Insight }) {
  const workflows = useQuery(workflowInsightsQuery(about))
  return (
    <>
      <h2 className="unseen">Workflows</h2>
      <QueryView query={workflows}>
        {({ items }) => (
          <DataTable
            caption="Workflows"
            empty="No workflow ended in this window."
            rows={items}
            keyOf={({ name }) => name}
            columns={[
              {
                name: 'Workflow',
                cell: ({ name }) => <Link to={insightsAddress(about, { workflow: name })}>{name}</Link>,
              },
              { name: 'Runs', number: true, cell: ({ metrics }) => metrics.total_runs },
              { name: 'Failed', number: true, cell: ({ metrics }) => metrics.failed_runs },
              { name: 'Success', number: true, cell: ({ metrics }) => percentText(metrics.success_rate) },
              { name: 'Median', number: true, cell: ({ metrics }) => secondsText(metrics.duration_metrics.median) },
              { name: '95 % within', number: true, cell: ({ metrics }) => secondsText(metrics.duration_metrics.p95) },
              { name: 'Runs a day', number: true, cell: ({ metrics }) => metrics.throughput.toFixed(1) },
              { name: 'Mended after', number: true, cell: ({ metrics }) => secondsText(metrics.mttr) },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}
